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
