/**
 * Proof of work for registration (ALTCHA, proof of work version 2). Challenges are signed and not stored. A solved
 * challenge can be exchanged once for a token. A token allows one registration.
 */
import { createHmac, hash, randomBytes, randomInt } from 'node:crypto'
import { createChallenge as createAltcha, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Static } from 'typebox'
import { iso } from '../clock.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { ClientAddress } from '../limits/address.ts'
import { addressLimits, spend } from '../limits/rules.ts'
import { addConflict, deleteToken, insertSolution, insertToken, isLiveToken } from './queries.ts'
import type { ChallengeAnswer } from './schema.ts'

const CHALLENGE_TTL_MS = 5 * 60 * 1000
const TOKEN_TTL_MS = 10 * 60 * 1000
/** Range of the counter that a solver must find; `max` is exclusive. */
const TRIES = { min: 50, max: 150 }
const CHALLENGES_A_MINUTE = 120

export interface CaptchaSettings {
  captchaSecret: string | undefined
  captchaCost: number
}

/**
 * Returns a signed challenge that expires after 5 minutes. Errors: 429 RATE_LIMITED after too many challenges
 * for a client address; CAPTCHA_NOT_CONFIGURED.
 */
export async function createChallenge(
  db: Handle,
  settings: CaptchaSettings,
  client: ClientAddress,
  now: number,
) {
  await spend(db, addressLimits('captcha', client, CHALLENGES_A_MINUTE, 60_000), now)
  const expiresAt = Math.floor((now + CHALLENGE_TTL_MS) / 1000)
  const challenge = await createAltcha({
    algorithm: 'PBKDF2/SHA-256',
    cost: settings.captchaCost,
    counter: randomInt(TRIES.min, TRIES.max),
    deriveKey,
    expiresAt,
    ...secretsOf(settings),
  })
  // The library's types omit the signature and the expiry, which the call above requests.
  const signed = challenge as Static<typeof ChallengeAnswer>['challenge']
  return { challenge: signed, expires_at: iso(expiresAt * 1000) }
}

/** Derives two keys: one signs the challenge, the other its hidden solution. Errors: CAPTCHA_NOT_CONFIGURED. */
function secretsOf({ captchaSecret }: CaptchaSettings) {
  if (!captchaSecret) throw new ApiError('CAPTCHA_NOT_CONFIGURED')
  const derive = (purpose: string) =>
    createHmac('sha256', captchaSecret).update(purpose).digest('hex')
  return { hmacSignatureSecret: derive('challenge'), hmacKeySignatureSecret: derive('solution') }
}

/**
 * Exchanges a solved challenge for a token. Errors: 422 CAPTCHA_INVALID when the solution is wrong, or the
 * challenge has expired or was already used.
 */
export async function verifyCaptcha(
  db: Handle,
  settings: CaptchaSettings,
  payload: string,
  now: number,
) {
  const solved = decode(payload)
  if (!solved || !(await isSolved(settings, solved, now))) throw new ApiError('CAPTCHA_INVALID')
  const { nonce, expiresAt } = solved.challenge.parameters
  const token = `plc_${randomBytes(32).toString('base64url')}`
  await db.transaction(async (tx) => {
    // The signed nonce identifies the challenge, so edits to the rest of the payload cannot make it look new.
    if (!(await insertSolution(tx, nonce, expiresAt * 1000 + 60_000))) {
      throw new ApiError('CAPTCHA_INVALID')
    }
    await insertToken(tx, hashOf(token), now + TOKEN_TTL_MS)
  })
  return { verified: true, captcha_token: token, expires_in: TOKEN_TTL_MS / 1000 }
}

async function isSolved(settings: CaptchaSettings, solved: Solved, now: number): Promise<boolean> {
  if (solved.challenge.parameters.expiresAt * 1000 <= now) return false
  try {
    const { verified } = await verifySolution({ ...solved, deriveKey, ...secretsOf(settings) })
    return verified
  } catch {
    // The library throws on values with a wrong type, which occur only in forged payloads.
    return false
  }
}

interface Solved {
  challenge: {
    parameters: {
      algorithm: string
      nonce: string
      salt: string
      cost: number
      keyLength: number
      keyPrefix: string
      expiresAt: number
    }
    signature: string
  }
  solution: { counter: number; derivedKey: string }
}

function decode(payload: string): Solved | undefined {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))
    const { parameters, signature } = challenge
    const texts = [signature, parameters.nonce, parameters.salt, solution.derivedKey]
    const whole =
      texts.every((text) => typeof text === 'string') && Number.isInteger(parameters.expiresAt)
    return whole ? { challenge: { parameters, signature }, solution } : undefined
  } catch {
    return undefined
  }
}

/** Checks that a token is valid without using it. Errors: 422 CAPTCHA_INVALID. */
export async function requireCaptchaToken(db: Handle, token: string, now: number): Promise<void> {
  if (!(await isLiveToken(db, hashOf(token), now))) throw new ApiError('CAPTCHA_INVALID')
}

/**
 * Deletes a valid token. Must run in the transaction that creates the account or application. Errors: 422
 * CAPTCHA_INVALID.
 */
export async function useCaptchaToken(tx: Tx, token: string, now: number): Promise<void> {
  if (!(await deleteToken(tx, hashOf(token), now))) throw new ApiError('CAPTCHA_INVALID')
}

/**
 * Counts a response that reveals an account. The fifth such response invalidates the token. Errors: 422
 * CAPTCHA_INVALID when the token was already invalid.
 */
export async function countConflict(db: Handle, token: string, now: number): Promise<void> {
  if (!(await addConflict(db, hashOf(token), now))) throw new ApiError('CAPTCHA_INVALID')
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
