/** The API's limits for the lengths of handles, passwords and names, in characters. */
const HANDLE_MIN = 3
export const HANDLE_MAX = 30
export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
export const DISPLAY_NAME_MAX = 50

const HANDLE = /^[a-z0-9_]*$/

/** Returns the rule that a handle breaks, or undefined. Only the server knows whether the handle is already taken. */
export function wrongHandle(handle: string): 'characters' | 'short' | 'long' | undefined {
  if (!HANDLE.test(handle)) return 'characters'
  if (handle.length < HANDLE_MIN) return 'short'
  return handle.length > HANDLE_MAX ? 'long' : undefined
}

/** True if an email address has no obvious typing mistake. The server validates the address. */
export function looksLikeEmail(email: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(email)
}

/**
 * Returns the length of a password as the API counts it: code points after NFC, including all white space.
 */
export function passwordLengthOf(password: string): number {
  return [...password.normalize('NFC')].length
}

/**
 * Returns the path to open after signing in: `then` if it is a page of this client, otherwise `/`. Also returns `/` for
 * the sign-in and sign-up pages. Other origins are refused, because attackers can choose `then` in a link.
 */
export function placeAfter(then: string | undefined, origin: string): string {
  if (!then || !URL.canParse(then, origin) || !then.startsWith('/')) return '/'
  const url = new URL(then, origin)
  const isElsewhere = url.origin !== origin || url.pathname.startsWith('//')
  if (isElsewhere || /^\/(sign-in|sign-up|api|uploads)(\/|$)/.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
