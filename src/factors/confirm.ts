import type { Handle, Tx } from '../db/handle.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import type { RunningAttempts } from '../limits/attempts.ts'
import type { Limit } from '../limits/rules.ts'
import { findUser, findUserLocked } from '../users/accounts.ts'
import type { Passwords, PasswordSlot } from './passwords.ts'

const HOUR_MS = 60 * 60 * 1000

export interface PasswordTools {
  passwords: Passwords
  attempts: RunningAttempts
}

/** Password hash against which a password was verified. `lockProven` checks that it is still the stored one. */
export type Proof = string

/**
 * Verifies the password of the signed-in user, calls `action` and returns its result. The attempt counts as
 * failed unless `action` calls `wasGood`. Must not run in a transaction. Errors: those of `action`;
 * - 401 UNAUTHORIZED when the account no longer exists;
 * - 422 on `current_password` for a wrong or missing password;
 * - 429 RATE_LIMITED after many failures;
 * - 503 SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export function withPassword<T>(
  db: Handle,
  { passwords, attempts }: PasswordTools,
  viewer: Viewer,
  password: string | undefined,
  now: number,
  action: (proof: Proof, tools: { slot: PasswordSlot; wasGood: () => Promise<void> }) => Promise<T>,
): Promise<T> {
  return passwords.withSlot(async (slot) => {
    const user = await findUser(db, viewer.id)
    if (!user) throw new ApiError('UNAUTHORIZED')
    if (password === undefined) throw wrongPassword()
    return attempts.run(db, confirmationLimits(viewer), now, async (wasGood) => {
      if (!(await slot.matches(user.password_hash, password))) throw wrongPassword()
      return action(user.password_hash, { slot, wasGood })
    })
  })
}

/** Returns the limit on a signed-in user's wrong passwords, and wrong codes when the user adds a TOTP app. */
export function confirmationLimits({ id }: Viewer): Limit[] {
  return [{ bucket: `password:account:${id}`, max: 100, windowMs: HOUR_MS }]
}

/**
 * Verifies the password of the signed-in user. Returns the proof for a later transaction. Errors: those of
 * `withPassword`.
 */
export function provePassword(
  db: Handle,
  tools: PasswordTools,
  viewer: Viewer,
  password: string,
  now: number,
): Promise<Proof> {
  return withPassword(db, tools, viewer, password, now, async (proof, { wasGood }) => {
    await wasGood()
    return proof
  })
}

/**
 * Locks and returns the user. Errors: 401 UNAUTHORIZED when the account no longer exists; 422 on
 * `current_password` when the password has changed since `proof`.
 */
export async function lockProven(tx: Tx, viewer: Viewer, proof?: Proof) {
  const user = await findUserLocked(tx, viewer.id)
  if (!user) throw new ApiError('UNAUTHORIZED')
  if (proof !== undefined && user.password_hash !== proof) throw wrongPassword()
  return user
}

function wrongPassword(): ApiError {
  return invalid('current_password', 'invalid.current_password')
}
