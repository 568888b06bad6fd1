import { sql } from 'kysely'
import { BATCH, inBatches } from '../db/batches.ts'
import type { Handle, Tx } from '../db/handle.ts'
import type { MailTokenRow, TokenPurpose } from '../db/mail-tables.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'

const upsert = statement((q, p: AsParams<MailTokenRow>) =>
  q
    .insertInto('mail_tokens')
    .values(
      pickParams(p, [
        'user_id',
        'purpose',
        'token_hash',
        'email',
        'email_key',
        'expires_at',
        'created_at',
      ]),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'purpose'])
        .doUpdateSet(
          pickParams(p, ['token_hash', 'email', 'email_key', 'expires_at', 'created_at']),
        ),
    ),
)

/** Stores a token. It replaces the user's earlier token for the same purpose. */
export async function upsertToken(tx: Tx, row: MailTokenRow): Promise<void> {
  await tx.run(upsert, { ...row })
}

type Sent = { purpose: TokenPurpose; token_hash: string; now: number }

const byHash = statement((q, p: Sent) =>
  q
    .selectFrom('mail_tokens')
    .selectAll()
    .where('token_hash', '=', p.token_hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now),
)

export function findToken(db: Handle, sent: Sent): Promise<MailTokenRow | undefined> {
  return db.first(byHash, sent)
}

type Owned = { userId: string; purpose: TokenPurpose; now: number }

const byUser = statement((q, p: Owned) =>
  q
    .selectFrom('mail_tokens')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now),
)

/** Returns the user's live token for a purpose. Requires the user's lock. */
export function findTokenOf(tx: Tx, owned: Owned): Promise<MailTokenRow | undefined> {
  return tx.first(byUser, owned)
}

const take = statement((q, p: Sent) =>
  q
    .deleteFrom('mail_tokens')
    .where('token_hash', '=', p.token_hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now)
    .returningAll(),
)

/** Deletes a token and returns it. Of two concurrent calls, one returns undefined. */
export function takeToken(tx: Tx, sent: Sent): Promise<MailTokenRow | undefined> {
  return tx.first(take, sent)
}

const remove = statement((q, p: { userId: string; purpose: TokenPurpose }) =>
  q.deleteFrom('mail_tokens').where('user_id', '=', p.userId).where('purpose', '=', p.purpose),
)

export async function deleteToken(tx: Tx, userId: string, purpose: TokenPurpose): Promise<void> {
  await tx.run(remove, { userId, purpose })
}

const removeAll = statement((q, p: { userId: string }) =>
  q.deleteFrom('mail_tokens').where('user_id', '=', p.userId),
)

/** Returns the number of deleted tokens. */
export function deleteTokensOf(tx: Tx, userId: string): Promise<number> {
  return tx.run(removeAll, { userId })
}

const reservation = statement((q, p: { emailKey: string; now: number; exceptUserId: string }) =>
  q
    .selectFrom('mail_tokens')
    .select('user_id')
    .where('email_key', '=', p.emailKey)
    .where('purpose', '=', sql.lit<TokenPurpose>('email_undo'))
    .where('expires_at', '>', p.now)
    .where('user_id', '<>', p.exceptUserId)
    .limit(1),
)

/** True while another user can still restore this address (in lower case) with an undo link. */
export async function isReserved(
  db: Handle,
  emailKey: string,
  now: number,
  exceptUserId = '',
): Promise<boolean> {
  return (await db.first(reservation, { emailKey, now, exceptUserId })) !== undefined
}

const removeExpired = statement((q, p: { now: number }) =>
  q
    .deleteFrom('mail_tokens')
    // Repeats the condition on the row to delete, because the token may have been replaced since the select.
    .where('expires_at', '<=', p.now)
    .where('token_hash', 'in', (e) =>
      e
        .selectFrom('mail_tokens')
        .select('token_hash')
        .where('expires_at', '<=', p.now)
        .limit(BATCH),
    ),
)

export async function deleteExpiredTokens(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeExpired, { now }))
}
