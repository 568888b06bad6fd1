/**
 * Storage on this device. Browsers may block it or be full. Reads then return null, and changes last only
 * until the page closes.
 */

/** `sessionStorage` belongs to this tab and survives only reloads. */
type Place = 'localStorage' | 'sessionStorage'

export function load(key: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Stores a text, or removes it when null. Returns false when the browser refuses. */
export function keep(key: string, text: string | null, place: Place = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Returns null when the value is missing or invalid JSON. */
export function loadJson(key: string, place?: Place): unknown {
  try {
    return JSON.parse(load(key, place) ?? 'null')
  } catch {
    return null
  }
}
