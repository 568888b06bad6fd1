import { createHmac, randomInt } from 'node:crypto'
import { ALPHABET } from '../db/ids.ts'

const LENGTH = 10

/** Returns a code of the form `XXXXX-XXXXX` with 50 random bits. */
export function newInviteCode(): string {
  const digits = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(32)])
  return digits.join('').toUpperCase().replace(/^.{5}/, '$&-')
}

/**
 * Returns the hash under which an invite is stored. Ignores case, spaces and hyphens in the code. The hash has a secret
 * key, because a short code could be guessed from a plain hash.
 */
export function inviteHash({ encryptionKey }: { encryptionKey: string }, code: string): string {
  const normalized = code.replace(/[\s-]/g, '').toUpperCase()
  return createHmac('sha256', encryptionKey).update(`invite ${normalized}`).digest('base64url')
}
