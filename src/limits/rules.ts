/**
 * Limits how often a caller may do an action. The counts are in the database, so that limits apply across
 * processes and restarts.
 */
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { addressKeys, type ClientAddress, isLoopback } from './address.ts'
import { findAttempts, giveBackAttempt, isOpen, takeAttempt } from './queries.ts'

export interface Limit {
  /** The action and the caller, such as `login:address:203.0.113.7`. */
  bucket: string
  max: number
  windowMs: number
}

/**
 * Returns the limits of an action for a client's address and networks, or none for a client on this machine.
 */
export function addressLimits(
  act: string,
  client: ClientAddress,
  max: number,
  windowMs: number,
): Limit[] {
  if (isLoopback(client)) return []
  return addressKeys(client.ip).map((key) => ({ bucket: `${act}:address:${key}`, max, windowMs }))
}

interface LimitState {
  left: number
  resetsAt: number
}

/**
 * Counts one attempt against each limit, or against none when a limit is used up. Returns the state of each
 * limit. Errors: 429 RATE_LIMITED.
 */
export function spend(db: Handle, limits: readonly Limit[], now: number): Promise<LimitState[]> {
  if (limits.length === 0) return Promise.resolve([])
  return db.transaction(async (tx) => {
    const states: LimitState[] = []
    for (const { bucket, max, windowMs } of sorted(limits)) {
      const { count, resets_at } = await takeAttempt(tx, bucket, now, windowMs)
      if (count > max) throw tooMany(resets_at, now)
      states.push({ left: max - count, resetsAt: resets_at })
    }
    return states
  })
}

/** Reverts a call of `spend` with the same limits, for an attempt that must not count. */
export async function giveBack(db: Handle, limits: readonly Limit[], now: number): Promise<void> {
  if (limits.length === 0) return
  await db.transaction(async (tx) => {
    for (const { bucket } of sorted(limits)) await giveBackAttempt(tx, bucket, now)
  })
}

/** Checks the limits without counting an attempt. Errors: 429 RATE_LIMITED when one of them is used up. */
export async function requireRoom(
  db: Handle,
  limits: readonly Limit[],
  now: number,
): Promise<void> {
  for (const { bucket, max, windowMs } of limits) {
    const row = await findAttempts(db, bucket)
    if (row && isOpen(row.resets_at, now, windowMs) && row.count >= max)
      throw tooMany(row.resets_at, now)
  }
}

function tooMany(resetsAt: number, now: number): ApiError {
  return new ApiError('RATE_LIMITED', {
    retryAfter: Math.max(1, Math.ceil((resetsAt - now) / 1000)),
  })
}

function sorted(limits: readonly Limit[]): Limit[] {
  return limits.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1))
}
