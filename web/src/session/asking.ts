/** What was asked for by somebody who is not signed in: done once they are. */
import { useSyncExternalStore } from 'react'
import { plaza } from './plaza.ts'

let wanted: (() => void) | undefined
const listeners = new Set<() => void>()

function change(next: (() => void) | undefined): void {
  wanted = next
  for (const listener of listeners) listener()
}

/** Does it now for who is signed in; asks others to sign in, and does it then. */
export function asMember(action: () => void): void {
  if (plaza.session) action()
  else change(action)
}

export function forget(): void {
  change(undefined)
}

/** To be called once somebody has signed in. */
export function goOn(): void {
  const action = wanted
  change(undefined)
  action?.()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsAsking(): boolean {
  return useSyncExternalStore(subscribe, () => wanted !== undefined)
}
