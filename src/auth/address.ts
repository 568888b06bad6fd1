/** Changes the email address of an account, and undoes such a change. */
import { type Handle, type Tx, UniqueViolation } from '../db/handle.ts'
import type { MailTokenRow } from '../db/mail-tables.ts'
import { pickParams } from '../db/statement.ts'
import type { UserRow } from '../db/tables.ts'
import { findPendingByEmail } from '../admission/application-queries.ts'
import { requireAllowedEmail } from '../admission/rules.ts'
import { actOf } from '../audit/rules.ts'
import { ApiError } from '../errors.ts'
import { removeFactors } from '../factors/rules.ts'
import type { SessionHolder } from '../http/auth.ts'
import type { ClientAddress } from '../limits/address.ts'
import { addressLimits, spend } from '../limits/rules.ts'
import { mayMail } from '../mail/limit.ts'
import { linkTo, type MailSettings, queueMail } from '../mail/rules.ts'
import type { Language } from '../messages/language.ts'
import { deleteSessionsOf } from '../sessions/queries.ts'
import { findUserByEmail, findUserLocked, isLegacy, updateAccount } from '../users/accounts.ts'
import { deleteDeletion, findDeletion } from '../users/deletions.ts'
import { keyOf, searchTextOf } from '../users/schema.ts'
import { deleteToken, findToken, findTokenOf, isReserved, takeToken } from './mail-token-queries.ts'
import { issueToken, queueReset, queueVerification, tokenHash } from './mail-tokens.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Returns the account with a new address, for the caller to store. With EMAIL_VERIFICATION=required the address stays
 * in `pending_email` until it is verified. Queues a verification mail to the new address and, if the old address is
 * verified, an undo mail to the old address. The caller must have locked the user.
 *
 * Errors: EMAIL_TAKEN, LEGACY_ACCOUNT_CONFLICT; 422 on `email` when its domain is banned.
 */
export async function changeAddress(
  tx: Tx,
  settings: MailSettings,
  before: UserRow,
  email: string,
  language: Language,
  now: number,
): Promise<UserRow> {
  if (keyOf(email) === before.email_key) return { ...before, email, pending_email: null }
  await requireAllowedEmail(tx, email, now)
  await requireAddress(tx, before.id, keyOf(email), now)
  if (before.email_verified) await queueUndo(tx, settings, before, { email, language }, now)
  await queueVerification(tx, settings, before, { email, language }, now)
  if (settings.emailVerification === 'required') return { ...before, pending_email: email }
  // A reset link that was mailed to the old address must no longer work.
  await deleteToken(tx, before.id, 'password_reset')
  return withAddress(before, email, 0)
}

function withAddress(user: UserRow, email: string, verified: UserRow['email_verified']): UserRow {
  const moved = { ...user, email, email_key: keyOf(email) }
  return {
    ...moved,
    email_verified: verified,
    pending_email: null,
    search_text: searchTextOf(moved),
  }
}

async function requireAddress(tx: Tx, userId: string, key: string, now: number): Promise<void> {
  if (await isLegacy(tx, '', key)) throw new ApiError('LEGACY_ACCOUNT_CONFLICT')
  const isTaken = (await findUserByEmail(tx, key)) || (await isReserved(tx, key, now, userId))
  if (isTaken || (await findPendingByEmail(tx, key, now))) throw new ApiError('EMAIL_TAKEN')
}

/**
 * Queues a mail to the old address with a link that undoes the change. The link reserves the old address for the user.
 *
 * Does nothing without a mail server, after the account has reached its mail limit, or while a valid link restores
 * another address.
 */
async function queueUndo(
  tx: Tx,
  settings: MailSettings,
  before: UserRow,
  { email, language }: { email: string; language: Language },
  now: number,
): Promise<void> {
  if (settings.smtpUrl === undefined) return
  const { id: userId, email: earlier, handle } = before
  // A thief who changes the address again must not invalidate the owner's link.
  const live = await findTokenOf(tx, { userId, purpose: 'email_undo', now })
  if (live && live.email_key !== before.email_key) return
  // Checks the limit first: a new token without a mail would only invalidate the link of the last mail.
  if (!(await mayMail(tx, userId, 'email_changed', now))) return
  const ttl = settings.mailUndoTtl
  const { token } = await issueToken(
    tx,
    {
      userId,
      purpose: 'email_undo',
      email: earlier,
      ttl,
      // An undo after several changes must also remove the second factors that were added since the first change.
      createdAt: live?.created_at,
    },
    now,
  )
  const mail = {
    userId,
    to: earlier,
    kind: 'email_changed',
    language,
    params: { handle, email, ttl },
    link: linkTo(settings, 'undo-email', token),
  } as const
  await queueMail(tx, settings, mail, now)
}

/**
 * Mails a verification link to the pending address, or to the current address when none is pending. Errors:
 * UNAUTHORIZED when the account no longer exists; EMAIL_ALREADY_VERIFIED; RATE_LIMITED.
 */
export async function sendVerification(
  db: Handle,
  settings: MailSettings,
  viewer: SessionHolder,
  client: ClientAddress & { language: Language },
  now: number,
): Promise<void> {
  await spend(db, addressLimits('mail:verification', client, 20, HOUR_MS), now)
  await db.transaction(async (tx) => {
    const user = await findUserLocked(tx, viewer.id)
    if (!user) throw new ApiError('UNAUTHORIZED')
    if (user.email_verified && user.pending_email === null) {
      throw new ApiError('EMAIL_ALREADY_VERIFIED')
    }
    const email = user.pending_email ?? user.email
    await queueVerification(tx, settings, user, { email, language: client.language }, now)
  })
}

/**
 * Verifies the address to which a token was mailed. If that address is pending, it replaces the current one.
 * Errors: 422 TOKEN_INVALID, 409 EMAIL_TAKEN, LEGACY_ACCOUNT_CONFLICT.
 */
export async function verifyEmail(db: Handle, token: string, now: number): Promise<void> {
  const sent = { purpose: 'verification', token_hash: tokenHash(token), now } as const
  await onUnique('EMAIL_TAKEN', () =>
    db.transaction(async (tx) => {
      const { user, email_key: key } = await useToken(tx, sent)
      if (key === user.email_key) return updateAccount(tx, { ...user, email_verified: 1 })
      const { pending_email: pending } = user
      // The user has cancelled or replaced this change of address.
      if (pending === null || keyOf(pending) !== key) throw new ApiError('TOKEN_INVALID')
      await requireAddress(tx, user.id, key, now)
      await deleteToken(tx, user.id, 'password_reset')
      return updateAccount(tx, withAddress(user, pending, 1))
    }),
  )
}

/**
 * Restores the previous address after a change, and ends all sessions. Mails a password reset link to the address
 * unless the user is suspended. Removes second factors that were added since the change. Cancels a deletion of the
 * account that was requested since the change. Earlier factors stay, so that an attacker with access to an old mailbox
 * cannot sign in. Errors: TOKEN_INVALID.
 */
export async function undoEmail(
  db: Handle,
  settings: MailSettings,
  { token, language, requestId }: { token: string; language: Language; requestId: string },
  now: number,
): Promise<void> {
  const sent = { purpose: 'email_undo', token_hash: tokenHash(token), now } as const
  await onUnique('TOKEN_INVALID', () =>
    db.transaction(async (tx) => {
      const { user, email, created_at: since } = await useToken(tx, sent)
      await updateAccount(tx, withAddress(user, email, 1))
      await deleteSessionsOf(tx, user.id)
      const added = { since, change: 'removed_by_undo' } as const
      const alertContext = { settings, language, now }
      await removeFactors(tx, user.id, added, actOf(user, requestId), alertContext)
      const deletion = await findDeletion(tx, user.id)
      if (deletion && deletion.requested_at >= since) await deleteDeletion(tx, user.id)
      for (const purpose of ['verification', 'password_reset'] as const) {
        await deleteToken(tx, user.id, purpose)
      }
      if (!user.is_suspended) await queueReset(tx, settings, user, { email, language }, now)
    }),
  )
}

/**
 * Deletes a mailed token and locks its user. Returns the user, the address to which the token was mailed, and its
 * creation time. Errors: TOKEN_INVALID.
 */
export async function useToken(
  tx: Tx,
  sent: Parameters<typeof takeToken>[1],
): Promise<{ user: UserRow } & Pick<MailTokenRow, 'email' | 'email_key' | 'created_at'>> {
  const found = await findToken(tx, sent)
  // Locks the user before the token, in the same order as the functions that issue tokens.
  const user = found && (await findUserLocked(tx, found.user_id))
  const taken = await takeToken(tx, sent)
  if (!user || !taken) throw new ApiError('TOKEN_INVALID')
  return { user, ...pickParams(taken, ['email', 'email_key', 'created_at']) }
}

async function onUnique(
  code: 'EMAIL_TAKEN' | 'TOKEN_INVALID',
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action()
  } catch (error) {
    // Another user took the address at the same moment.
    throw error instanceof UniqueViolation ? new ApiError(code) : error
  }
}
