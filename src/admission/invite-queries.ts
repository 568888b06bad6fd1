import type { Handle, Tx } from '../db/handle.ts'
import type { InviteRow } from '../db/registration-tables.ts'
import {
  type AsParams,
  pickParams,
  type Range,
  statement,
  statementFamily,
} from '../db/statement.ts'

const live = statement((q, p: { codeHash: string; now: number }, dialect) =>
  dialect.locked(
    q
      .selectFrom('invites')
      .select('id')
      .where('code_hash', '=', p.codeHash)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', p.now)
      .whereRef('use_count', '<', 'max_uses'),
  ),
)

/** Returns the invite with this code and locks it, or undefined when it cannot be used. */
export function lockLiveInvite(tx: Tx, codeHash: string, now: number) {
  return tx.first(live, { codeHash, now })
}

const found = statement((q, p: { codeHash: string; now: number }) =>
  q
    .selectFrom('invites')
    .select('id')
    .where('code_hash', '=', p.codeHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.now)
    .whereRef('use_count', '<', 'max_uses'),
)

export async function isLiveInvite(db: Handle, codeHash: string, now: number): Promise<boolean> {
  return (await db.first(found, { codeHash, now })) !== undefined
}

const use = statement((q, p: { invite_id: string; user_id: string; created_at: number }) =>
  q.insertInto('invite_uses').values(pickParams(p, ['invite_id', 'user_id', 'created_at'])),
)

/** A trigger counts the use. Requires the lock of the invite. */
export async function insertInviteUse(
  tx: Tx,
  inviteId: string,
  userId: string,
  now: number,
): Promise<void> {
  await tx.run(use, { invite_id: inviteId, user_id: userId, created_at: now })
}

const insert = statement((q, p: AsParams<InviteRow>) =>
  q
    .insertInto('invites')
    .values(
      pickParams(p, [
        'id',
        'code_hash',
        'created_by',
        'max_uses',
        'use_count',
        'note',
        'expires_at',
        'revoked_at',
        'created_at',
      ]),
    ),
)

export async function insertInvite(tx: Tx, row: InviteRow): Promise<void> {
  await tx.run(insert, { ...row })
}

const liveCount = statement((q, p: { userId: string; now: number }) =>
  q
    .selectFrom('invites')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('created_by', '=', p.userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.now)
    .whereRef('use_count', '<', 'max_uses'),
)

export async function countLiveInvites(db: Handle, userId: string, now: number): Promise<number> {
  return (await db.first(liveCount, { userId, now }))?.total ?? 0
}

const locked = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('invites').selectAll().where('id', '=', p.id)),
)

export function lockInvite(tx: Tx, id: string) {
  return tx.first(locked, { id })
}

const revoke = statement((q, p: { id: string; now: number }) =>
  q.updateTable('invites').set({ revoked_at: p.now }).where('id', '=', p.id),
)

export async function revokeInviteRow(tx: Tx, id: string, now: number): Promise<void> {
  await tx.run(revoke, { id, now })
}

const page = statementFamily(({ own }: { own: boolean }) =>
  statement((q, p: Range & { userId: string }) =>
    q
      .selectFrom('invites')
      .innerJoin('users', 'users.id', 'invites.created_by')
      .selectAll('invites')
      .select(['users.handle', 'users.display_name', 'users.avatar_url'])
      .$if(own, (rows) => rows.where('created_by', '=', p.userId))
      .orderBy('invites.id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)
const total = statementFamily(({ own }: { own: boolean }) =>
  statement((q, p: { userId: string }) =>
    q
      .selectFrom('invites')
      .select((e) => e.fn.countAll<number>().as('total'))
      .$if(own, (rows) => rows.where('created_by', '=', p.userId)),
  ),
)

/** Returns a page of the invites of a user, or of all users, newest first, with the total. */
export async function listInviteRows(db: Handle, userId: string | null, range: Range) {
  const choices = { own: userId !== null }
  const given = { userId: userId ?? '' }
  const [rows, count] = await Promise.all([
    db.all(page(choices), { ...given, ...range }),
    db.first(total(choices), given),
  ])
  return { rows, total: count?.total ?? 0 }
}

const users = statement((q, p: { ids: readonly string[] }, dialect) =>
  q
    .selectFrom('invite_uses')
    .innerJoin('users', 'users.id', 'invite_uses.user_id')
    .select(['invite_id', 'users.id', 'users.handle', 'users.display_name', 'users.avatar_url'])
    .where(dialect.anyOf('invite_id', p.ids))
    .orderBy('invite_uses.created_at')
    .orderBy('users.id'),
)

/** Returns the users of these invites, in the order of their registration. */
export async function listInvited(db: Handle, ids: readonly string[]) {
  return ids.length === 0 ? [] : db.all(users, { ids })
}
