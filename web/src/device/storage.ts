/** Access to browser storage. When storage is blocked or full, reads return null, and writes return false. */

type Place = 'localStorage' | 'sessionStorage'

export function load(key: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Stores a text, or removes the entry when `text` is null. Returns false when storage is blocked or full. */
export function keep(key: string, text: string | null, place: Place = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, text)
    return true
  } catch {
    return false
  }
}

export function loadJson(key: string, place?: Place): unknown {
  try {
    return JSON.parse(load(key, place) ?? 'null')
  } catch {
    return null
  }
}

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
