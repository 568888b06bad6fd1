/** What the reader's device asks for. */
import { useSyncExternalStore } from 'react'

/** Whether a media query holds. */
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

/** Nothing starts to move by itself. */
export function useWantsCalm(): boolean {
  return useMatches(CALM)
}

/** The same, for what is done once. */
export function wantsCalm(): boolean {
  return matchMedia(CALM).matches
}

/** Nothing is loaded before it is looked at. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}
