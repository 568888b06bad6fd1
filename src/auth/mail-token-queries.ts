import { deleteInBatches } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { above, not, atMost } from '../db/conditions.ts'
import { deleteRows, findRow, hasRow, putRow, takeRow } from '../db/rows.ts'
import type { MailTokenRow, TokenPurpose } from '../db/mail-tables.ts'

/** Stores a token and replaces the earlier token of the user for the same purpose. */
export async function upsertToken(tx: Tx, row: MailTokenRow): Promise<void> {
  await putRow(tx, 'mail_tokens', ['user_id', 'purpose'], row)
}

type Sent = { purpose: TokenPurpose; token_hash: string; now: number }

const live = ({ purpose, token_hash, now }: Sent) => ({
  purpose,
  token_hash,
  expires_at: above(now),
})

export function findToken(db: Handle, sent: Sent): Promise<MailTokenRow | undefined> {
  return findRow(db, 'mail_tokens', live(sent))
}

type Owned = { userId: string; purpose: TokenPurpose; now: number }

/** Returns the user's valid token for a purpose, or undefined. Requires the user's lock. */
export function findTokenOf(tx: Tx, owned: Owned): Promise<MailTokenRow | undefined> {
  return findRow(tx, 'mail_tokens', {
    user_id: owned.userId,
    purpose: owned.purpose,
    expires_at: above(owned.now),
  })
}

/**
 * Deletes and returns a valid token, or returns undefined. Only one of two concurrent calls returns the token.
 */
export function takeToken(tx: Tx, sent: Sent): Promise<MailTokenRow | undefined> {
  return takeRow(tx, 'mail_tokens', live(sent))
}

export async function deleteToken(tx: Tx, userId: string, purpose: TokenPurpose): Promise<void> {
  await deleteRows(tx, 'mail_tokens', { user_id: userId, purpose })
}

export function deleteTokensOf(tx: Tx, userId: string): Promise<number> {
  return deleteRows(tx, 'mail_tokens', { user_id: userId })
}

/**
 * True while a user other than `exceptUserId` can still restore this address with an undo link. `emailKey` is
 * the address in lower case.
 */
export async function isReserved(
  db: Handle,
  emailKey: string,
  now: number,
  exceptUserId = '',
): Promise<boolean> {
  return hasRow(db, 'mail_tokens', {
    email_key: emailKey,
    purpose: 'email_undo',
    expires_at: above(now),
    user_id: not(exceptUserId),
  })
}

export async function deleteExpiredTokens(db: Handle, now: number): Promise<void> {
  await deleteInBatches(db, 'mail_tokens', ['user_id', 'purpose'], { expires_at: atMost(now) })
}
