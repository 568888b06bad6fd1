import { load } from '../device/storage.ts'

/**
 * Calls `act` when the back/forward cache restores the page and the stored value of `key` has changed. Cached pages
 * receive no storage events.
 */
export function whenRestoredStale(key: string, act: () => void): void {
  let before: string | null = null
  addEventListener('pagehide', () => {
    before = load(key)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && load(key) !== before) act()
  })
}
