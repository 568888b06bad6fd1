import { load } from '../device/kept.ts'

/**
 * A page that the back button restores as it was left heard nothing of other tabs meanwhile: acts where
 * what is kept under `key` is another than then.
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
