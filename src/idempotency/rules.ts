/**
 * Idempotency-Key (contract, section 1). The act and its stored answer commit in one transaction,
 * so a crash leaves both or neither, and a retry acts exactly once. An error rolls both back and
 * leaves the key free.
 */
import type { Db, Handle } from '../db/handle.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Answer, KeyedRequest, StoredAnswer } from '../http/declaration.ts'
import { findStoredAnswer, storeAnswer, tryLockKey } from './queries.ts'

const KEPT_MS = 24 * 60 * 60 * 1000

/** Keys whose first request runs in this process now. */
const running = new Set<string>()

/**
 * Runs `run` unless this caller's key has an answer already, which is then replayed.
 * Errors: 409 REQUEST_IN_PROGRESS while the first still runs; 422 for another request.
 */
export async function runOnce(
  db: Db,
  request: KeyedRequest,
  now: number,
  run: (db: Handle) => Promise<Answer>,
): Promise<StoredAnswer> {
  const { caller, route, key, fingerprint } = request
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
        expires_at: now + KEPT_MS,
      })
      return { status: answer.status, data: answer.data, replayed: false }
    })
  } finally {
    running.delete(name)
  }
}
