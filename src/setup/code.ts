import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { ALPHABET } from '../db/ids.ts'

const LENGTH = 20

/**
 * Returns the code with which the first administrator is created: `XXXXX-XXXXX-XXXXX-XXXXX`, 100 bits. The code depends
 * only on the secret, so every process and every restart prints the same one.
 */
export function setupCode({ tokenSecret }: { tokenSecret: string }): string {
  const bytes = createHmac('sha256', tokenSecret).update('setup code').digest()
  const digits = Array.from({ length: LENGTH }, (_, i) => ALPHABET[(bytes[i] as number) & 31])
  return (digits.join('').match(/.{5}/g) as string[]).join('-').toUpperCase()
}

/** True for the setup code. Ignores case, spaces and hyphens. Compares in constant time. */
export function isSetupCode(config: { tokenSecret: string }, given: string): boolean {
  const digestOf = (text: string) =>
    hash('sha256', text.replace(/[\s-]/g, '').toUpperCase(), 'buffer')
  return timingSafeEqual(digestOf(given), digestOf(setupCode(config)))
}
