import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import { ApiError } from '../errors.ts'
import { isRecoveryCode, useRecoveryCode } from '../factors/login.ts'
import { countLiveKeys } from '../keys/queries.ts'
import type { ClientAddress } from '../limits/address.ts'
import { addressLimits, spend } from '../limits/rules.ts'
import { type MailSettings, mailUser, queueUnaddressed } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { notify } from '../notifications/notify.ts'
import { hasSignedInFrom } from '../sessions/known.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { findUserLocked, updateAccount } from '../users/accounts.ts'
import { keyOf, toSecondFactor } from '../users/schema.ts'
import { useToken } from './address.ts'
import { deleteToken, findToken } from './mail-token-queries.ts'
import { tokenHash } from './mail-tokens.ts'
import { findByIdentifier } from './resolve-reset.ts'
import { loginLimits, type PasswordTools } from './rules.ts'
import type { Passwords } from '../factors/passwords.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Queues a mail with a link that resets a password. The mail sender looks up the account after the response, which
 * therefore does not reveal whether the account exists. Errors: RATE_LIMITED.
 */
export async function sendPasswordReset(
  db: Handle,
  settings: MailSettings,
  identifier: string,
  client: ClientAddress & { language: Language },
  now: number,
): Promise<void> {
  await spend(db, addressLimits('mail:password_reset', client, 20, HOUR_MS), now)
  await queueUnaddressed(db, settings, { identifier, language: client.language }, now)
}

/**
 * Sets a new password with a mailed token, and ends all sessions. Verifies the user's current address if the token
 * was mailed to it. API keys and connected apps stay valid.
 * Errors: 422 TOKEN_INVALID, also when the account is suspended; SERVICE_UNAVAILABLE when too many requests hash
 * passwords.
 */
export async function confirmPasswordReset(
  db: Handle,
  { config, passwords }: { config: MailSettings; passwords: Passwords },
  { token, new_password }: { token: string; new_password: string },
  language: Language,
  now: number,
): Promise<void> {
  const sent = { purpose: 'password_reset', token_hash: tokenHash(token), now } as const
  // Checks the token before hashing, so that wrong tokens do not cost the time of a hash.
  if (!(await findToken(db, sent))) throw new ApiError('TOKEN_INVALID')
  const password_hash = await passwords.hash(new_password)
  await db.transaction(async (tx) => {
    const { user, email_key } = await useToken(tx, sent)
    if (user.is_suspended) throw new ApiError('TOKEN_INVALID')
    const isProven = email_key === user.email_key
    const email_verified = isProven ? 1 : user.email_verified
    await updateAccount(tx, { ...user, password_hash, email_verified })
    await deleteSessionsOf(tx, user.id)
    await announcePasswordChange(tx, config, user, language, now)
  })
}

/**
 * Sets a new password with a recovery code, and ends all sessions. Wrong codes count as failed logins.
 * Errors: 422 TOKEN_INVALID when the code is wrong or the account is unknown, suspended or has a second factor;
 * RATE_LIMITED; SERVICE_UNAVAILABLE when too many requests hash passwords.
 */
export async function resetWithCode(
  db: Handle,
  { config, passwords, attempts }: PasswordTools & { config: MailSettings },
  sent: { identifier: string; recovery_code: string; new_password: string },
  client: ClientAddress & { language: Language },
  now: number,
): Promise<void> {
  // Waits for a hashing slot before the attempt begins, as a login does. Otherwise an attempt without a slot could
  // block attempts that have one.
  await passwords.withSlot(async (slot) => {
    const identifier = keyOf(sent.identifier)
    const found = await findByIdentifier(db, identifier)
    const account = found?.id ?? `unknown:${identifier}`
    const isKnown = await hasSignedInFrom(db, config, account, client.ip, now)
    await attempts.run(db, loginLimits(account, client, isKnown), now, async (wasGood) => {
      // Checks the code before hashing, so that wrong codes do not cost the time of a hash.
      if (!found || !(await isRecoveryCode(db, found.id, sent.recovery_code))) {
        throw new ApiError('TOKEN_INVALID')
      }
      const password_hash = await slot.hash(sent.new_password)
      await db.transaction(async (tx) => {
        const user = await findUserLocked(tx, found.id)
        if (!user || user.is_suspended || toSecondFactor(user).is_enabled) {
          throw new ApiError('TOKEN_INVALID')
        }
        if (!(await useRecoveryCode(tx, user.id, sent.recovery_code))) {
          throw new ApiError('TOKEN_INVALID')
        }
        await updateAccount(tx, { ...user, password_hash })
        await deleteToken(tx, user.id, 'password_reset')
        await deleteSessionsOf(tx, user.id)
        await announcePasswordChange(tx, config, user, client.language, now)
      })
      await wasGood()
    })
  })
}

/**
 * Notifies and mails a user whose password has changed. Both messages contain the number of API keys that still
 * work. Requires the lock of the user.
 */
export async function announcePasswordChange(
  tx: Tx,
  settings: MailSettings,
  { id: userId, handle }: { id: string; handle: string },
  language: Language,
  now: number,
): Promise<void> {
  const keys = await countLiveKeys(tx, userId, now)
  const mail = { userId, kind: 'password_changed', language, params: { handle, keys } } as const
  await mailUser(tx, settings, mail, now)
  const notification = {
    to: userId,
    type: 'system',
    kind: 'system.password_changed',
    actorId: null,
    // A new id for each change, so that each change creates a separate notification.
    subjectId: newId('ntf', now),
    params: { keys: String(keys) },
    link: '/account',
  } as const
  await notify(tx, [notification], now)
}
