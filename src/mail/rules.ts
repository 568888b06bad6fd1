import type { Config } from '../config.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { MailRow } from '../db/mail-tables.ts'
import { ApiError } from '../errors.ts'
import type { Language } from '../messages/language.ts'
import { seal, unseal } from '../sealed.ts'
import { siteUrl } from '../site-settings.ts'
import type { LinkKind, MailContent, MailKind } from './kinds.ts'
import { mayMail } from './limit.ts'
import { insertMail, insertMailTo } from './queries.ts'

/** Event that `db.signals` emits after a commit that queued a mail. */
export const MAIL_QUEUED = 'mail queued'

export type MailSettings = Pick<
  Config,
  | 'smtpUrl'
  | 'mailFrom'
  | 'emailVerification'
  | 'mailTokenTtl'
  | 'mailUndoTtl'
  | 'encryptionKey'
  | 'publicUrl'
  | 'host'
  | 'port'
>

export type NewMail = MailContent & {
  /** Null for a mail that belongs to no account. */
  userId: string | null
  to: string
  language: Language
  /** A secret link, see `linkTo`. It is stored encrypted until the mail has been sent. */
  link?: string
}

/** A mail to the address of an account. It is sent only if the address is verified. */
export type UserMail = MailContent<Exclude<MailKind, LinkKind | 'application_decided'>> & {
  userId: string
  language: Language
}

/** Checks that a mail server is configured. Errors: 503 MAIL_NOT_CONFIGURED. */
export function requireMail({ smtpUrl }: MailSettings): void {
  if (smtpUrl === undefined) throw new ApiError('MAIL_NOT_CONFIGURED')
}

/**
 * Queues a mail in the transaction of the change that it reports, if a mail server is configured. Use it only
 * for mails with a link or without an account, and `mailUser` for all others. Only verification,
 * password_reset, email_changed and application_decided may go to an unverified address.
 */
export async function queueMail(
  tx: Tx,
  settings: MailSettings,
  { userId, to, kind, language, params, link }: NewMail,
  now: number,
): Promise<void> {
  if (settings.smtpUrl === undefined) return
  const id = newId('eml', now)
  const sealed = link === undefined ? null : sealFor(settings, id, link)
  const text = JSON.stringify(params)
  await insertMail(tx, {
    ...pendingMail(id, now),
    user_id: userId,
    to_address: to,
    kind,
    language,
    params: text,
    sealed,
  })
  announce(tx)
}

/**
 * Queues a password reset mail without an address. The mail sender looks up the account later. `identifier` is
 * a handle or an email address.
 */
export async function queueUnaddressed(
  tx: Handle,
  settings: MailSettings,
  { identifier, language }: { identifier: string; language: Language },
  now: number,
): Promise<void> {
  await tx.transaction(async (inner) => {
    const id = newId('eml', now)
    await insertMail(inner, {
      ...pendingMail(id, now),
      user_id: null,
      kind: 'password_reset',
      to_address: '',
      language,
      params: '{}',
      sealed: sealFor(settings, id, identifier),
    })
    announce(inner)
  })
}

/**
 * Queues a mail to a user in the transaction of the change that it reports. Queues nothing without a mail
 * server or a verified address, or when the account has reached its limit.
 */
export async function mailUser(
  tx: Tx,
  settings: MailSettings,
  { userId, kind, language, params }: UserMail,
  now: number,
): Promise<void> {
  if (settings.smtpUrl === undefined || !(await mayMail(tx, userId, kind, now))) return
  const text = JSON.stringify(params)
  const id = newId('eml', now)
  await insertMailTo(tx, { id, userId, kind, language, params: text, created_at: now })
  announce(tx)
}

function announce(tx: Tx): void {
  tx.afterCommit(() => tx.signals.emit(MAIL_QUEUED))
}

function pendingMail(id: string, now: number) {
  return {
    id,
    status: 'pending',
    attempts: 0,
    due_at: now,
    lease: null,
    created_at: now,
    ended_at: null,
  } as const
}

/** Encrypts a text of a mail. Only `unsealOf` with the same mail can decrypt it. */
export function sealFor(
  { encryptionKey }: Pick<MailSettings, 'encryptionKey'>,
  mailId: string,
  text: string,
): string {
  return seal(encryptionKey, `${mailId}.link`, text)
}

/** Decrypts the sealed text of a mail, if it has one. Throws when ENCRYPTION_KEY has changed. */
export function unsealOf(
  { encryptionKey }: Pick<MailSettings, 'encryptionKey'>,
  { id, sealed }: Pick<MailRow, 'id' | 'sealed'>,
): string | undefined {
  return sealed === null ? undefined : unseal(encryptionKey, `${id}.link`, sealed)
}

/**
 * Returns a link to a page with a token. The token is in the fragment, which browsers do not send to servers.
 */
export function linkTo(
  settings: MailSettings,
  page: 'reset-password' | 'verify-email' | 'undo-email',
  token: string,
): string {
  return `${siteUrl(settings)}/${page}#token=${token}`
}
