/** Timer shared by all relative times on the page. */
import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

let ticks = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    ticks += 1
    for (const each of listeners) each()
  }, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Rerenders the component every minute. */
export function useMinutes(): void {
  useSyncExternalStore(subscribe, () => ticks)
}
