/** Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth'
import { seal, unseal } from '../sealed.ts'

const STEP_MS = 30_000
/** Maximum difference between the clocks of server and device, in time steps. */
const TOLERANCE = 1
/** Length of a secret in bytes, as RFC 4226 (section 4) recommends. */
const SECRET_BYTES = 20

function totpOf(secret: Secret) {
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 })
}

/** Returns a new secret in base32, as authenticator apps expect it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the URL that authenticator apps read from a QR code. */
export function otpauthUrl(secret: string, issuer: string, label: string): string {
  const totp = totpOf(Secret.fromBase32(secret))
  totp.issuer = issuer
  totp.label = label
  return totp.toString()
}

/** Returns the time step of a code that is valid at `now`, or undefined. */
export function stepOf(secret: string, otp: string, now: number): number | undefined {
  const token = otp.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = totpOf(Secret.fromBase32(secret))
  const delta = totp.validate({ token, timestamp: now, window: TOLERANCE })
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta
}

/**
 * Returns the recently used steps and `step` as JSON for `used_steps`, or undefined if `step` was used before.
 */
export function withStep(used: string, step: number): string | undefined {
  const steps: number[] = JSON.parse(used)
  if (steps.includes(step)) return undefined
  const oldest = step - 2 * TOLERANCE
  return JSON.stringify([...steps.filter((earlier) => earlier >= oldest), step])
}

export function sealTotp(key: string, userId: string, secret: string): string {
  return seal(key, `${userId}.totp`, secret)
}

/** Decrypts a TOTP secret. Throws when ENCRYPTION_KEY has changed. */
export function unsealTotp(key: string, userId: string, sealed: string): string {
  return unseal(key, `${userId}.totp`, sealed)
}
