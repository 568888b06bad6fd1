/** Preferences of the user's device. */
import { useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and follows its changes. */
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

/** True when the user prefers reduced motion. Nothing should move by itself then. */
export function useWantsCalm(): boolean {
  return useMatches(CALM)
}

/** Reads the motion preference once, without following its changes. */
export function wantsCalm(): boolean {
  return matchMedia(CALM).matches
}

/** True when the user saves data. Nothing should load before it is visible then. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}
