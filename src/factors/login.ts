import type { Config } from '../config.ts'
import type { Handle, Tx } from '../db/handle.ts'
import type { UserRow } from '../db/tables.ts'
import { ApiError, type Problem } from '../errors.ts'
import { toSecondFactor } from '../users/schema.ts'
import { deleteCode, findTotp, hasCode, storeTotp } from './queries.ts'
import { recoveryHash } from './recovery-codes.ts'
import { stepOf, unsealTotp, withStep } from './totp.ts'

export type FactorSettings = Pick<Config, 'encryptionKey'>

export interface Answer {
  otp?: string
  recovery_code?: string
}

/**
 * Checks the second factor of a login, if the user has one, and uses up the code. Returns the user with the
 * updated number of recovery codes. The caller holds the user's lock. Errors: SECOND_FACTOR_REQUIRED without a
 * code; SECOND_FACTOR_INVALID.
 */
export async function requireFactor(
  tx: Tx,
  settings: FactorSettings,
  user: UserRow,
  { otp, recovery_code: code }: Answer,
  now: number,
): Promise<UserRow> {
  if (!toSecondFactor(user).is_enabled) return user
  if (otp === undefined && code === undefined) {
    throw new ApiError('SECOND_FACTOR_REQUIRED', { problems: factorsOf(user) })
  }
  if (otp !== undefined) {
    if (await useOtp(tx, settings, user.id, otp, now)) return user
  } else if (await useRecoveryCode(tx, user.id, code ?? '')) {
    return { ...user, recovery_code_count: user.recovery_code_count - 1 }
  }
  throw new ApiError('SECOND_FACTOR_INVALID')
}

/** Returns one problem for each factor that the user has. The `field` of the problem names the factor. */
function factorsOf(user: UserRow): Problem[] {
  const { methods, recovery_codes_left } = toSecondFactor(user)
  const problems: Problem[] = []
  if (methods.includes('totp')) problems.push({ field: 'otp', key: 'invalid.factor_otp' })
  if (methods.includes('passkey')) {
    problems.push({ field: 'passkey', key: 'invalid.factor_passkey' })
  }
  if (recovery_codes_left > 0) {
    problems.push({ field: 'recovery_code', key: 'invalid.factor_recovery_code' })
  }
  return problems
}

/** True for an unused recovery code of the user. */
export function isRecoveryCode(db: Handle, userId: string, code: string): Promise<boolean> {
  return hasCode(db, userId, recoveryHash(userId, code))
}

/** Deletes a recovery code of the user. Returns false for a wrong code. */
export function useRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  return deleteCode(tx, userId, recoveryHash(userId, code))
}

/**
 * Marks a TOTP code as used. Returns false when the code is wrong or was used before, or TOTP is not enabled.
 */
async function useOtp(
  tx: Tx,
  { encryptionKey }: FactorSettings,
  userId: string,
  otp: string,
  now: number,
): Promise<boolean> {
  const totp = await findTotp(tx, userId)
  if (!totp || totp.confirmed_at === null) return false
  const step = stepOf(unsealTotp(encryptionKey, userId, totp.secret), otp, now)
  const used_steps = step === undefined ? undefined : withStep(totp.used_steps, step)
  if (used_steps === undefined) return false
  await storeTotp(tx, { ...totp, used_steps })
  return true
}
