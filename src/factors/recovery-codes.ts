import { hash, randomBytes } from 'node:crypto'
import { ALPHABET } from '../db/ids.ts'

const COUNT = 10
/**
 * Characters of a code without its hyphens. They contain 80 random bits, too many to find a code by hashing all
 * possible ones.
 */
const LENGTH = 16
const GROUP = /.{4}(?=.)/g

/** Returns new codes in the form `xxxx-xxxx-xxxx-xxxx`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    [...randomBytes(LENGTH)]
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replaceAll(GROUP, '$&-'),
  )
}

/** Returns the stored hash of a code. Ignores case, hyphens and spaces. */
export function recoveryHash(userId: string, code: string): string {
  const digits = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return hash('sha256', `${userId}\n${digits}`, 'base64url')
}
