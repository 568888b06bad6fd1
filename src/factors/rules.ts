import { type Act, writeAuditEntry } from '../audit/rules.ts'
import type { Handle, Tx } from '../db/handle.ts'
import type { UserRow } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { findUserLocked, updateHasTotp } from '../users/accounts.ts'
import { toSecondFactor } from '../users/schema.ts'
import { announce, issueCodes, issueFirstCodes, type AlertContext } from './change.ts'
import { confirmationLimits, lockProven, type PasswordTools, type Proof } from './confirm.ts'
import { deleteFactorRows, deleteTotp, findTotp, storeTotp } from './queries.ts'
import { newTotpSecret, otpauthUrl, sealTotp, stepOf, unsealTotp, withStep } from './totp.ts'

/** Replaces all recovery codes, informs the user and returns the new codes. Errors: those of `lockProven`. */
export function replaceRecoveryCodes(
  db: Handle,
  viewer: Viewer,
  proof: Proof,
  alertContext: AlertContext,
) {
  return db.transaction(async (tx) => {
    const user = await lockProven(tx, viewer, proof)
    const recovery_codes = await issueCodes(tx, user.id, alertContext.now)
    await announce(tx, user, 'codes_replaced', alertContext)
    return { recovery_codes }
  })
}

/**
 * Creates a TOTP secret, or replaces an unconfirmed one. Returns the secret and the URL for the QR code. `confirmTotp`
 * makes the secret a second factor. Errors: those of `lockProven`; 409 SECOND_FACTOR_ENABLED.
 */
export function createTotp(
  db: Handle,
  viewer: Viewer,
  proof: Proof,
  { encryptionKey, issuer }: { encryptionKey: string; issuer: string },
  now: number,
) {
  return db.transaction(async (tx) => {
    const user = await lockProven(tx, viewer, proof)
    if (user.has_totp) throw new ApiError('SECOND_FACTOR_ENABLED')
    const secret = newTotpSecret()
    await storeTotp(tx, {
      user_id: user.id,
      secret: sealTotp(encryptionKey, user.id, secret),
      confirmed_at: null,
      used_steps: '[]',
      created_at: now,
    })
    return { secret, otpauth_url: otpauthUrl(secret, issuer, user.handle) }
  })
}

/**
 * Verifies a first TOTP code before `confirmTotp`, if there is an unconfirmed secret. Wrong codes count like
 * wrong passwords. Must not run in a transaction, because a rollback would undo the count. Errors: 422
 * OTP_INVALID; 429 RATE_LIMITED.
 */
export async function checkFirstOtp(
  db: Handle,
  { attempts, config }: Pick<PasswordTools, 'attempts'> & { config: { encryptionKey: string } },
  viewer: Viewer,
  otp: string,
  now: number,
): Promise<void> {
  const totp = await findTotp(db, viewer.id)
  // Only the code of an unconfirmed secret can be guessed here. Other requests must not count as attempts.
  if (totp?.confirmed_at !== null) return
  await attempts.run(db, confirmationLimits(viewer), now, async (wasGood) => {
    const secret = unsealTotp(config.encryptionKey, viewer.id, totp.secret)
    if (stepOf(secret, otp, now) === undefined) throw new ApiError('OTP_INVALID')
    await wasGood()
  })
}

/**
 * Enables TOTP with a first code, which cannot be used again. Returns the updated user and new recovery codes
 * (null if the user already had some). Errors: 401 UNAUTHORIZED when the account no longer exists; 422
 * OTP_INVALID for a wrong code or without an unconfirmed secret.
 */
export function confirmTotp(db: Handle, viewer: Viewer, otp: string, alertContext: AlertContext) {
  const { settings, now } = alertContext
  return db.transaction(async (tx) => {
    const user = await lockProven(tx, viewer)
    const totp = await findTotp(tx, user.id)
    if (!totp || totp.confirmed_at !== null) throw new ApiError('OTP_INVALID')
    const step = stepOf(unsealTotp(settings.encryptionKey, user.id, totp.secret), otp, now)
    const used_steps = step === undefined ? undefined : withStep(totp.used_steps, step)
    if (used_steps === undefined) throw new ApiError('OTP_INVALID')
    await storeTotp(tx, { ...totp, confirmed_at: now, used_steps })
    await updateHasTotp(tx, user.id, 1)
    const recovery_codes = await issueFirstCodes(tx, user, now)
    await announce(tx, user, 'totp_enabled', alertContext)
    return { user: await requireUser(tx, user.id), recovery_codes }
  })
}

/**
 * Disables TOTP and informs the user, or deletes an unconfirmed secret. Recovery codes stay. Errors: those of
 * `lockProven`.
 */
export function disableTotp(
  db: Handle,
  viewer: Viewer,
  proof: Proof,
  alertContext: AlertContext,
): Promise<void> {
  return db.transaction(async (tx) => {
    const user = await lockProven(tx, viewer, proof)
    await deleteTotp(tx, user.id)
    if (!user.has_totp) return
    await updateHasTotp(tx, user.id, 0)
    await announce(tx, user, 'totp_disabled', alertContext)
  })
}

/**
 * Deletes the TOTP secret, passkeys and recovery codes that were added at or after `since` (epoch
 * milliseconds). If there were any, writes an audit entry and informs the user.
 */
export async function removeFactors(
  tx: Tx,
  userId: string,
  { since, change }: { since: number; change: 'removed_by_operator' | 'removed_by_undo' },
  act: Act,
  alertContext: AlertContext,
): Promise<void> {
  const user = await requireUser(tx, userId)
  await deleteFactors(tx, userId, since)
  const left = await requireUser(tx, userId)
  const hasLost = (['has_totp', 'passkey_count', 'recovery_code_count'] as const).some(
    (count) => left[count] < user[count],
  )
  if (!hasLost) return
  const entry = {
    action: 'second_factor_removed',
    target: { kind: 'user', id: userId },
    before: toSecondFactor(user),
    after: toSecondFactor(left),
  } as const
  await writeAuditEntry(tx, act, entry, alertContext.now)
  await announce(tx, user, change, alertContext)
}

/**
 * Deletes TOTP, passkeys and recovery codes that were added at or after `since` (epoch milliseconds). Requires
 * the user's lock.
 */
export async function deleteFactors(tx: Tx, userId: string, since = 0): Promise<void> {
  await deleteFactorRows(tx, userId, since)
  const totp = await findTotp(tx, userId)
  await updateHasTotp(tx, userId, totp?.confirmed_at == null ? 0 : 1)
}

async function requireUser(tx: Tx, id: string): Promise<UserRow> {
  const user = await findUserLocked(tx, id)
  if (!user) throw new ApiError('UNAUTHORIZED')
  return user
}
