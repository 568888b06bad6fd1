/** What an account may be called, and how long its password is, as the API has it. */
const HANDLE_MIN = 3
export const HANDLE_MAX = 30
export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
export const DISPLAY_NAME_MAX = 50

const HANDLE = /^[a-z0-9_]*$/

/** Undefined for a handle that may be taken, as far as this can be told without the server. */
export function wrongHandle(handle: string): 'characters' | 'short' | 'long' | undefined {
  if (!HANDLE.test(handle)) return 'characters'
  if (handle.length < HANDLE_MIN) return 'short'
  return handle.length > HANDLE_MAX ? 'long' : undefined
}

/** The server alone knows whether it is one; this finds slips. */
export function looksLikeEmail(email: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(email)
}

/** The length of a password as the API counts it: composed, in code points, with all its blanks. */
export function passwordLengthOf(password: string): number {
  return [...password.normalize('NFC')].length
}
