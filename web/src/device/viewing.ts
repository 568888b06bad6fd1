/** Preferences of the viewer's device, and whether the page is visible. */
import { useSyncExternalStore } from 'react'

export function useMatches(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

const CALM = '(prefers-reduced-motion: reduce)'

export function useWantsCalm(): boolean {
  return useMatches(CALM)
}

export function wantsCalm(): boolean {
  return matchMedia(CALM).matches
}

export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

export function useIsPageSeen(): boolean {
  return useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')
}
