import { hash, randomBytes } from 'node:crypto'
import { ALPHABET } from '../db/ids.ts'

const COUNT = 10
/** Characters of a code without hyphens. A code has 80 random bits, too many for a search through all hashes. */
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

/** Returns the hash under which a code is stored. Ignores case, hyphens and spaces. */
export function recoveryHash(userId: string, code: string): string {
  const digits = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return hash('sha256', `${userId}\n${digits}`, 'base64url')
}
