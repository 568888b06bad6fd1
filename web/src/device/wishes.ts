/** Preferences that the user has set on the device. */
import { useSyncExternalStore } from 'react'

/** Returns whether a media query matches. Rerenders when that changes. */
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

/** True when the user prefers reduced motion. No animation may then start automatically. */
export function useWantsCalm(): boolean {
  return useMatches(CALM)
}

/** Returns the current motion preference, without following later changes. */
export function wantsCalm(): boolean {
  return matchMedia(CALM).matches
}

/** True when the user saves data. Content should then load only when it is visible. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}
