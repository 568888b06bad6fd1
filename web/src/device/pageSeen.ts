import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether the page is in sight at all. */
export function useIsPageSeen(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
}
