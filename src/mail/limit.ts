import type { Tx } from '../db/handle.ts'
import { takeAttempt } from '../limits/queries.ts'
import type { MailKind } from './kinds.ts'

const HOUR_MS = 60 * 60 * 1000
/** Maximum mails of one kind that an account can cause in an hour. */
const MAILS_MAX = 20
/** Maximum mails in an hour of a kind that clients can request directly. */
const REQUESTED_MAX = 5

/** Counts a mail against the hourly limit of the account and kind. Returns false when the mail exceeds the limit. */
export async function mayMail(
  tx: Tx,
  userId: string,
  kind: MailKind,
  now: number,
): Promise<boolean> {
  const { count } = await takeAttempt(tx, `mail:${kind}:${userId}`, now, HOUR_MS)
  const isRequested = kind === 'verification' || kind === 'password_reset'
  return count <= (isRequested ? REQUESTED_MAX : MAILS_MAX)
}
