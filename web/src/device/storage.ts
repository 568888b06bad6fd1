/**
 * Reads and writes browser storage. If it is blocked or full, reads return null, and writes last only until
 * the page closes.
 */

/** `sessionStorage` belongs to one tab and survives reloads only. */
type Place = 'localStorage' | 'sessionStorage'

export function load(key: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Stores a text, or removes it when null. Returns false when the browser refuses to store it. */
export function keep(key: string, text: string | null, place: Place = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Returns the parsed value, or null when it is missing or invalid JSON. */
export function loadJson(key: string, place?: Place): unknown {
  try {
    return JSON.parse(load(key, place) ?? 'null')
  } catch {
    return null
  }
}
