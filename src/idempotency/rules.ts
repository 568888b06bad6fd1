import { createHmac, hkdfSync } from 'node:crypto'
import type { Db, Handle } from '../db/handle.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Answer, KeyedRequest, StoredAnswer } from '../http/declaration.ts'
import { findStoredAnswer, storeAnswer, tryLockKey } from './queries.ts'

const RETENTION_MS = 24 * 60 * 60 * 1000

/**
 * Returns the secret key that hashes requests into fingerprints. From hashes without a key, anyone who reads the
 * database could guess the passwords in request bodies.
 */
export function fingerprintKeyOf({ tokenSecret }: { tokenSecret: string }): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenSecret, '', 'plaza request fingerprints', 32))
}

/**
 * Implements Idempotency-Key (docs/api.md, Safe retries). Replays the stored response, or calls `run` and
 * stores its response in the same transaction. An error of `run` leaves the key unused. `running` contains the
 * keys of requests in this process.
 *
 * Errors: those of `run`; 409 REQUEST_IN_PROGRESS while the first request is running; 422 VALIDATION_ERROR when
 * the key was used for a different request.
 */
export async function runOnce(
  db: Db,
  { running, fingerprintKey }: { running: Set<string>; fingerprintKey: Buffer },
  request: KeyedRequest,
  now: number,
  run: (db: Handle) => Promise<Answer>,
): Promise<StoredAnswer> {
  const { caller, route, key, content } = request
  const fingerprint = createHmac('sha256', fingerprintKey).update(content).digest('base64url')
  const name = `${caller} ${route} ${key}`
  if (running.has(name)) throw new ApiError('REQUEST_IN_PROGRESS')
  running.add(name)
  try {
    return await db.transaction(async (tx) => {
      if (!(await tryLockKey(tx, name))) throw new ApiError('REQUEST_IN_PROGRESS')
      const stored = await findStoredAnswer(tx, request, now)
      if (stored) {
        if (stored.fingerprint !== fingerprint) {
          throw invalid('Idempotency-Key', 'invalid.idempotency_key')
        }
        return { status: stored.status, data: stored.data, replayed: true }
      }
      const answer = await run(tx)
      await storeAnswer(tx, {
        caller,
        route,
        key,
        fingerprint,
        status: answer.status,
        data: answer.storedData,
        expires_at: now + RETENTION_MS,
      })
      return { status: answer.status, data: answer.data, replayed: false }
    })
  } finally {
    running.delete(name)
  }
}
