import { createStore, useStore } from '../device/store.ts'
import { plaza } from './plaza.ts'

const wanted = createStore<(() => void) | undefined>(undefined)

/** Runs an action for a signed-in viewer. Asks a visitor to sign in first. */
export function asMember(action: () => void): void {
  if (plaza.session) action()
  else wanted.set(action)
}

export function forget(): void {
  wanted.set(undefined)
}

export function goOn(): void {
  const action = wanted.get()
  forget()
  action?.()
}

export function useIsAsking(): boolean {
  return useStore(wanted) !== undefined
}
