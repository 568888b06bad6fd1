import { fromHex, subtle, toBase64, toHex, utf8 } from './bytes.ts'
import { aborted } from './errors.ts'
import type { CaptchaChallenge } from './generated.ts'

/** Options of `solveCaptcha` and `solveChallenge`. */
export interface CaptchaOptions {
  /** Called about every 50 ms with the estimated progress from 0 to 1, and with 1 when the solution is found. */
  onProgress?: (share: number) => void
  /** Stops solving. The call then rejects with `ABORTED`. */
  signal?: AbortSignal
}

export interface CaptchaSolution {
  /** The number that solves the challenge. */
  counter: number
  /** The key derived from `counter`, in hexadecimal. */
  derivedKey: string
}

/** Maximum number of counters to try for a challenge of Plaza. Used only to estimate the progress. */
const TRIES_AT_MOST = 150
/** Milliseconds of computation between pauses for the event loop. */
const TURN_MS = 50

/**
 * Solves the registration CAPTCHA, a PBKDF2 proof of work of ALTCHA version 2. Returns the first counter whose derived
 * key begins with the challenge's prefix, and this key.
 *
 * Throws ABORTED when `signal` aborts, a TypeError for an unsupported challenge, and an Error without Web Crypto.
 */
export async function solveChallenge(
  { parameters }: CaptchaChallenge,
  { onProgress, signal }: CaptchaOptions = {},
): Promise<CaptchaSolution> {
  const derive = deriver(parameters)
  const prefix = parameters.keyPrefix.toLowerCase()
  if (!/^[0-9a-f]+$/.test(prefix)) throw new TypeError('The challenge has no valid keyPrefix.')
  let turn = Date.now()
  for (let counter = 0; ; counter += 1) {
    if (signal?.aborted) throw aborted(signal)
    const derivedKey = toHex(await derive(counter))
    if (derivedKey.startsWith(prefix)) {
      onProgress?.(1)
      return { counter, derivedKey }
    }
    if (Date.now() - turn < TURN_MS) continue
    onProgress?.(Math.min((counter + 1) / TRIES_AT_MOST, 0.99))
    await new Promise((resolve) => setTimeout(resolve))
    turn = Date.now()
  }
}

/**
 * Returns a function that derives the key of a counter. The password is the nonce followed by the 32-bit counter.
 */
function deriver({ algorithm, cost, keyLength, nonce, salt }: CaptchaChallenge['parameters']) {
  const hash = /^PBKDF2\/(SHA-(?:256|384|512))$/.exec(algorithm)?.[1]
  if (!hash)
    throw new TypeError(`The challenge asks for ${algorithm}, which this client does not support.`)
  const start = fromHex(nonce)
  const password = new Uint8Array(start.length + 4)
  password.set(start)
  const view = new DataView(password.buffer)
  const how = { name: 'PBKDF2', hash, salt: fromHex(salt), iterations: cost }
  return async (counter: number): Promise<Uint8Array> => {
    view.setUint32(start.length, counter)
    const key = await subtle().importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    return new Uint8Array(await subtle().deriveBits(how, key, keyLength * 8))
  }
}

/** Encodes a solution for the `payload` field of `verifyCaptcha`. */
export function payloadOf(challenge: CaptchaChallenge, solution: CaptchaSolution): string {
  return toBase64(utf8(JSON.stringify({ challenge, solution })))
}
