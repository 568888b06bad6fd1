/** Stores the action of a signed-out visitor until the visitor has signed in. */
import { useSyncExternalStore } from 'react'
import { plaza } from './plaza.ts'

let wanted: (() => void) | undefined
const listeners = new Set<() => void>()

function change(next: (() => void) | undefined): void {
  wanted = next
  for (const listener of listeners) listener()
}

/**
 * Runs an action immediately for a signed-in viewer. Otherwise asks the visitor to sign in, and runs it
 * afterwards.
 */
export function asMember(action: () => void): void {
  if (plaza.session) action()
  else change(action)
}

export function forget(): void {
  change(undefined)
}

/** Runs the stored action. Call it after signing in. */
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
