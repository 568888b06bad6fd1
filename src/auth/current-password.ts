import type { Handle } from '../db/handle.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { findUser } from '../users/accounts.ts'
import type { AuthTools } from './rules.ts'

const HOUR_MS = 60 * 60 * 1000

export type PasswordTools = Pick<AuthTools, 'passwords' | 'attempts'>

/**
 * Checks the password of the viewer's account. Returns its hash, which the caller compares again under the
 * lock of the user.
 * Errors: 422 on `current_password`; UNAUTHORIZED when the account no longer exists; RATE_LIMITED after many
 * wrong passwords; SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export function requireCurrentPassword(
  db: Handle,
  { passwords, attempts }: PasswordTools,
  viewer: Viewer,
  password: string,
  now: number,
): Promise<string> {
  return passwords.withSlot(async (slot) => {
    const user = await findUser(db, viewer.id)
    if (!user) throw new ApiError('UNAUTHORIZED')
    const limits = [{ bucket: `password:account:${viewer.id}`, max: 100, windowMs: HOUR_MS }]
    return attempts.run(db, limits, now, async (wasGood) => {
      if (!(await slot.matches(user.password_hash, password))) throw wrongPassword()
      await wasGood()
      return user.password_hash
    })
  })
}

export function wrongPassword(): ApiError {
  return invalid('current_password', 'invalid.current_password')
}
