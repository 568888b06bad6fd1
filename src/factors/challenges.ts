/**
 * WebAuthn challenges for passkeys. They are signed with TOKEN_SECRET, and the database contains only used
 * ones. The transaction that accepts a response records its challenge, so that each challenge works once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../db/handle.ts'
import { insertUsedChallenge } from './queries.ts'

/** Seconds that a challenge is valid. */
export const CHALLENGE_TTL = 300
const NONCE_BYTES = 16
const TIME_BYTES = 6
const BODY_BYTES = NONCE_BYTES + TIME_BYTES

/** Purpose of a challenge: `get` to sign in, or `create` with a user id to register a passkey of that user. */
export type Purpose = 'get' | `create ${string}`

export function newChallenge(secret: string, purpose: Purpose, now: number): Buffer {
  const body = Buffer.alloc(BODY_BYTES)
  randomBytes(NONCE_BYTES).copy(body)
  body.writeUIntBE(now + CHALLENGE_TTL * 1000, NONCE_BYTES, TIME_BYTES)
  return Buffer.concat([body, signatureOf(secret, purpose, body)])
}

/**
 * True for an unexpired challenge in base64url that was signed for this purpose. Does not check whether the
 * challenge was used before.
 */
export function isChallenge(
  secret: string,
  purpose: Purpose,
  challenge: string,
  now: number,
): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, BODY_BYTES)
  const signature = bytes.subarray(BODY_BYTES)
  const expected = signatureOf(secret, purpose, body)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return false
  return expiryOf(bytes) > now
}

/** Marks a valid challenge as used. Returns false when it was used before. */
export function spendChallenge(tx: Tx, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  return insertUsedChallenge(tx, bytes.toString('base64url'), expiryOf(bytes))
}

function expiryOf(bytes: Buffer): number {
  return bytes.readUIntBE(NONCE_BYTES, TIME_BYTES)
}

function signatureOf(secret: string, purpose: Purpose, body: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(`passkey challenge\n${purpose}\n`)
    .update(body)
    .digest()
}
