/** Tokens in mailed links. A user has at most one token for each purpose. Each token works once. */
import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '../db/handle.ts'
import type { TokenPurpose } from '../db/mail-tables.ts'
import type { Language } from '../messages/language.ts'
import { mayMail } from '../mail/limit.ts'
import { linkTo, type MailSettings, queueMail } from '../mail/rules.ts'
import { keyOf } from '../users/schema.ts'
import { upsertToken } from './mail-token-queries.ts'

/**
 * Replaces the user's token for a purpose. Returns the new token and its expiry in milliseconds since 1970.
 * `createdAt` overrides the creation time `now`. Requires the lock of the user.
 */
export async function issueToken(
  tx: Tx,
  {
    userId,
    purpose,
    email,
    ttl,
    createdAt,
  }: {
    userId: string
    purpose: TokenPurpose
    /** Address to which the link is mailed. Empty for a link that is not mailed. */
    email: string
    /** Lifetime in seconds. */
    ttl: number
    createdAt?: number | undefined
  },
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = now + ttl * 1000
  await upsertToken(tx, {
    user_id: userId,
    purpose,
    token_hash: tokenHash(token),
    email,
    email_key: keyOf(email),
    expires_at: expiresAt,
    created_at: createdAt ?? now,
  })
  return { token, expiresAt }
}

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url')
}

/**
 * Queues a mail whose link verifies an address of the user. Does nothing without a mail server or when the account
 * has reached its mail limit. Requires the lock of the user.
 */
export async function queueVerification(
  tx: Tx,
  settings: MailSettings,
  user: { id: string; handle: string },
  { email, language }: { email: string; language: Language },
  now: number,
): Promise<void> {
  if (settings.smtpUrl === undefined) return
  if (!(await mayMail(tx, user.id, 'verification', now))) return
  const ttl = settings.mailTokenTtl
  const wanted = { userId: user.id, purpose: 'verification', email, ttl } as const
  const { token } = await issueToken(tx, wanted, now)
  const mail = {
    userId: user.id,
    to: email,
    kind: 'verification',
    language,
    params: { handle: user.handle, ttl },
    link: linkTo(settings, 'verify-email', token),
  } as const
  await queueMail(tx, settings, mail, now)
}

/** Queues a mail whose link resets the user's password. Requires the user's lock. */
export async function queueReset(
  tx: Tx,
  settings: MailSettings,
  user: { id: string; handle: string },
  { email, language }: { email: string; language: Language },
  now: number,
): Promise<void> {
  const link = await issueResetLink(tx, settings, user.id, email, now)
  const params = { handle: user.handle, ttl: settings.mailTokenTtl }
  const mail = { userId: user.id, to: email, kind: 'password_reset', language, params } as const
  await queueMail(tx, settings, { ...mail, link: link.url }, now)
}

/**
 * Returns a link that resets the user's password, and its expiry in milliseconds since 1970. `email` is null when the
 * link is not mailed. A mailed link also verifies the address. Requires the lock of the user.
 */
export async function issueResetLink(
  tx: Tx,
  settings: MailSettings,
  userId: string,
  email: string | null,
  now: number,
): Promise<{ url: string; expiresAt: number }> {
  const ttl = settings.mailTokenTtl
  const wanted = { userId, purpose: 'password_reset', email: email ?? '', ttl } as const
  const { token, expiresAt } = await issueToken(tx, wanted, now)
  return { url: linkTo(settings, 'reset-password', token), expiresAt }
}
