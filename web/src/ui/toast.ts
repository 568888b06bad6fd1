/** Short notices: what has happened, never what must be read. */
import { useSyncExternalStore } from 'react'

interface Toast {
  id: number
  text: string
  isBad: boolean
  action?: { label: string; run: () => void } | undefined
}

const SHOWN_MS = 6000
const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let made = 0

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a notice for some seconds. */
export function toast(
  text: string,
  more: { isBad?: boolean; action?: Toast['action'] } = {},
): void {
  const id = ++made
  const { isBad = false, action } = more
  // Of two that say the same the later stays; three are seen at once.
  change([...toasts.filter((shown) => shown.text !== text).slice(-2), { id, text, isBad, action }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  if (toasts.some((shown) => shown.id === id)) change(toasts.filter((shown) => shown.id !== id))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}
