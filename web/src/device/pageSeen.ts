import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** True while the page is visible. */
export function useIsPageSeen(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
}
