/**
 * Conditions for registration: the site's registration mode (open, invite, approval or closed), invite codes,
 * applications and bans.
 */
import { useCaptchaToken } from '../captcha/rules.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { UserRow } from '../db/tables.ts'
import {
  findPendingByEmail,
  findPendingByHandle,
  insertApplication,
} from '../admission/application-queries.ts'
import { inviteHash } from '../admission/invite-code.ts'
import { insertInviteUse, isLiveInvite, lockLiveInvite } from '../admission/invite-queries.ts'
import { isNetworkBanned } from '../admission/rules.ts'
import { ApiError, type ErrorCode, type Problem } from '../errors.ts'
import type { ClientAddress } from '../limits/address.ts'
import type { Language } from '../messages/language.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, type Registration as Mode, settingsOf } from '../site-settings.ts'
import { lockUserTotal } from '../users/accounts.ts'

/** Milliseconds for which a pending application reserves its handle and email. */
const PENDING_MS = 30 * 24 * 60 * 60 * 1000

export type AdmissionSettings = Fixed & { encryptionKey: string }

interface Asked {
  invite_code?: string | null
  application?: string | null
  captcha_token?: string
}

async function modeOf(db: Handle, fixed: Fixed): Promise<Mode> {
  return settingsOf(await findSite(db), fixed).registration
}

/** Returns REGISTRATION_CLOSED when the mode is `closed` or the client's network is banned, else undefined. */
export async function registrationClosed(
  db: Handle,
  fixed: Fixed,
  { ip }: ClientAddress,
  now: number,
): Promise<ErrorCode | undefined> {
  const closed = (await modeOf(db, fixed)) === 'closed' || (await isNetworkBanned(db, ip, now))
  return closed ? 'REGISTRATION_CLOSED' : undefined
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

/**
 * Returns a problem for each field that the registration mode requires and that was not sent. With an invite
 * code, no other field is required.
 */
export async function problemsOfMode(
  db: Handle,
  fixed: Fixed,
  sent: { invite_code?: unknown; application?: unknown },
): Promise<Problem[]> {
  if (!isMissing(sent.invite_code)) return []
  const mode = await modeOf(db, fixed)
  const missing = (field: string): Problem => ({ field, key: 'invalid.required' })
  if (mode === 'invite') return [missing('invite_code')]
  return mode === 'approval' && isMissing(sent.application) ? [missing('application')] : []
}

/** How the client registers: with an invite, by application, or without conditions. */
export type Entry = { inviteHash: string } | { application: string } | 'open'

/**
 * Checks that the client may register, and returns how. Errors: CAPTCHA_REQUIRED or INVITE_REQUIRED when only
 * that field is missing; otherwise VALIDATION_ERROR with all missing fields; INVITE_INVALID.
 */
export async function requireEntry(
  db: Handle,
  config: AdmissionSettings,
  input: Asked,
  now: number,
): Promise<Entry> {
  const problems = await problemsOfMode(db, config, input)
  if (input.captcha_token === undefined) {
    if (problems.length === 0) throw new ApiError('CAPTCHA_REQUIRED')
    problems.push({ field: 'captcha_token', key: 'invalid.required' })
  }
  const [problem] = problems
  if (problem && problems.length === 1 && problem.field === 'invite_code') {
    throw new ApiError('INVITE_REQUIRED')
  }
  if (problem) throw new ApiError('VALIDATION_ERROR', { problems })
  const { invite_code: code, application } = input
  if (typeof code === 'string') {
    const codeHash = inviteHash(config, code)
    if (!(await isLiveInvite(db, codeHash, now))) throw new ApiError('INVITE_INVALID')
    return { inviteHash: codeHash }
  }
  const mode = await modeOf(db, config)
  return mode === 'approval' && typeof application === 'string' ? { application } : 'open'
}

/** Records the use of an invite. Must run in the transaction that creates the account. Errors: INVITE_INVALID. */
export async function useInvite(
  tx: Tx,
  codeHash: string,
  userId: string,
  now: number,
): Promise<void> {
  const invite = await lockLiveInvite(tx, codeHash, now)
  if (!invite) throw new ApiError('INVITE_INVALID')
  await insertInviteUse(tx, invite.id, userId, now)
}

/**
 * Stores an application for an account, and returns its id and time. `requireFree` checks that the handle and email are
 * free.
 *
 * Errors: those of `requireFree`; CAPTCHA_INVALID; HANDLE_TAKEN.
 */
export function apply(
  db: Handle,
  user: Pick<UserRow, 'handle' | 'email' | 'email_key' | 'password_hash' | 'display_name'>,
  application: string,
  { captchaToken, ip, language }: { captchaToken: string; ip: string; language: Language },
  requireFree: (tx: Tx) => Promise<void>,
  now: number,
) {
  const { handle, email, email_key, password_hash, display_name } = user
  return db.transaction(async (tx) => {
    await useCaptchaToken(tx, captchaToken, now)
    // Every new account locks this row too, so that an account and an application cannot both take a handle.
    await lockUserTotal(tx)
    await requireFree(tx)
    const id = newId('reg', now)
    const inserted = await insertApplication(tx, {
      id,
      handle,
      email,
      email_key,
      password_hash,
      display_name,
      application,
      ip: ip || null,
      language,
      status: 'pending',
      reason: null,
      decided_by: null,
      user_id: null,
      created_at: now,
      expires_at: now + PENDING_MS,
      decided_at: null,
    })
    if (!inserted) throw new ApiError('HANDLE_TAKEN')
    return { id, created_at: now }
  })
}

/**
 * Returns the pending application with this handle or email, or undefined. `identifier` must be in lower case.
 */
export function findApplicant(db: Handle, identifier: string, now: number) {
  return identifier.includes('@')
    ? findPendingByEmail(db, identifier, now)
    : findPendingByHandle(db, identifier, now)
}
