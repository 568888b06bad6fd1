import type { Handle, Tx } from '../db/handle.ts'
import { findRowLocked, insertRow, updateRows, listPage } from '../db/rows.ts'
import type { InviteRow } from '../db/registration-tables.ts'
import { FALSE, type Query, type Range, statement } from '../db/statement.ts'

const live = (q: Query, p: { now: number }) =>
  q
    .selectFrom('invites')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.now)
    .whereRef('use_count', '<', 'max_uses')
    // A suspended user's invites do not work until the suspension ends.
    .where((e) =>
      e.exists(
        e
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'invites.created_by')
          .where('users.is_suspended', '=', FALSE),
      ),
    )

const found = statement((q, p: { codeHash: string; now: number }) =>
  live(q, p).select('id').where('code_hash', '=', p.codeHash),
)
const locked = statement((q, p: { codeHash: string; now: number }, dialect) =>
  dialect.locked(live(q, p).select('id').where('code_hash', '=', p.codeHash)),
)
const liveCount = statement((q, p: { userId: string; now: number }) =>
  live(q, p)
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('created_by', '=', p.userId),
)

/** Locks and returns the invite with this code, or undefined when it cannot be used. */
export function lockLiveInvite(tx: Tx, codeHash: string, now: number) {
  return tx.first(locked, { codeHash, now })
}

export async function isLiveInvite(db: Handle, codeHash: string, now: number): Promise<boolean> {
  return (await db.first(found, { codeHash, now })) !== undefined
}

/**
 * Records that a user registered with an invite. A database trigger counts the use. The caller holds the lock
 * of the invite.
 */
export async function insertInviteUse(
  tx: Tx,
  inviteId: string,
  userId: string,
  now: number,
): Promise<void> {
  await insertRow(tx, 'invite_uses', { invite_id: inviteId, user_id: userId, created_at: now })
}

export async function insertInvite(tx: Tx, row: InviteRow): Promise<void> {
  await insertRow(tx, 'invites', row)
}

export async function countLiveInvites(db: Handle, userId: string, now: number): Promise<number> {
  return (await db.first(liveCount, { userId, now }))?.total ?? 0
}

export function lockInvite(tx: Tx, id: string) {
  return findRowLocked(tx, 'invites', { id })
}

export async function revokeInviteRow(tx: Tx, id: string, now: number): Promise<void> {
  await updateRows(tx, 'invites', { id }, { revoked_at: now })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.created_by')
    .selectAll('invites')
    .select(['users.handle', 'users.display_name', 'users.avatar_url', 'users.avatar_sizes'])
    .where(dialect.anyOf('invites.id', p.ids))
    .orderBy('invites.id', 'desc'),
)

/** Returns a page of the invites of a user, or of all users when `userId` is null, newest first, with the total. */
export async function listInviteRows(db: Handle, userId: string | null, range: Range) {
  const where = userId === null ? {} : { created_by: userId }
  const { ids, total } = await listPage(db, 'invites', where, { by: 'id', desc: true, ...range })
  return { rows: await db.all(byIds, { ids }), total }
}

const users = statement((q, p: { ids: readonly string[] }, dialect) =>
  q
    .selectFrom('invite_uses')
    .innerJoin('users', 'users.id', 'invite_uses.user_id')
    .select([
      'invite_id',
      'users.id',
      'users.handle',
      'users.display_name',
      'users.avatar_url',
      'users.avatar_sizes',
    ])
    .where(dialect.anyOf('invite_id', p.ids))
    .orderBy('invite_uses.created_at')
    .orderBy('users.id'),
)

/** Returns the users who registered with these invites, the earliest first. */
export async function listInvited(db: Handle, ids: readonly string[]) {
  return ids.length === 0 ? [] : db.all(users, { ids })
}
