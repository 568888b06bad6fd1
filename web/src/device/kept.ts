/**
 * What is kept on this device. A browser may forbid it or have no room left: then nothing is found, and
 * what was to be kept holds until the page is closed.
 */

/** `sessionStorage` is this tab's, and outlives a reload only. */
type Place = 'localStorage' | 'sessionStorage'

export function load(key: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text; with null, nothing. Returns false where the browser did not let it. */
export function keep(key: string, text: string | null, place: Place = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Null where nothing is kept that can be read. */
export function loadJson(key: string, place?: Place): unknown {
  try {
    return JSON.parse(load(key, place) ?? 'null')
  } catch {
    return null
  }
}
