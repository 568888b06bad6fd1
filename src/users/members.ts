/** Statements on accounts as administrators and the operator see and change them. */
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import {
  type AsParams,
  NO,
  type Query,
  type Range,
  slots,
  statement,
  variants,
} from '../db/statement.ts'
import type { Tier, UserRow } from '../db/tables.ts'

export type MemberRow = Pick<
  UserRow,
  | 'id'
  | 'handle'
  | 'email'
  | 'display_name'
  | 'role'
  | 'is_suspended'
  | 'suspended_at'
  | 'suspension_reason'
  | 'created_at'
  | 'last_seen_at'
>

function members(q: Query) {
  return q
    .selectFrom('users')
    .select([
      'id',
      'handle',
      'email',
      'display_name',
      'role',
      'is_suspended',
      'suspended_at',
      'suspension_reason',
      'created_at',
      'last_seen_at',
    ])
}

const newest = variants(({ search }: { search: boolean }) =>
  statement((q, p: Range & { search: string }, on) =>
    members(q)
      .$if(search, (rows) => rows.where(on.contains('search_text', p.search)))
      .orderBy('id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
)

/** Members newest first; with `search` (lower-case) those whose handle, name, address or id holds it. */
export function listMembers(
  db: Handle,
  search: string | undefined,
  range: Range,
): Promise<MemberRow[]> {
  return db.all(newest({ search: search !== undefined }), { search: search ?? '', ...range })
}

const total = variants(({ search }: { search: boolean }) =>
  statement((q, p: { search: string }, on) =>
    q
      .selectFrom('users')
      .select((e) => e.fn.countAll<number>().as('count'))
      .$if(search, (rows) => rows.where(on.contains('search_text', p.search))),
  ),
)

export async function countMembers(db: Handle, search: string | undefined): Promise<number> {
  const row = await db.first(total({ search: search !== undefined }), { search: search ?? '' })
  return row?.count ?? 0
}

const byId = statement((q, p: { id: string }) => members(q).where('id', '=', p.id))

export function findMember(db: Handle, id: string): Promise<MemberRow | undefined> {
  return db.first(byId, { id })
}

const lockedByHandle = statement((q, p: { handle: string }, on) =>
  on.locked(members(q).where('handle', '=', p.handle)),
)

/** The same by handle, in lower case. */
export function findMemberByHandleLocked(tx: Tx, handle: string): Promise<MemberRow | undefined> {
  return tx.first(lockedByHandle, { handle })
}

const adminsAnd = statement((q, p: { id: string }, on) =>
  on.locked(
    members(q)
      .where((e) =>
        e.or([
          e.and([e('role', '=', sql.lit('admin')), e('is_suspended', '=', NO)]),
          e('id', '=', p.id),
        ]),
      )
      .orderBy('id'),
  ),
)

/**
 * A member and all administrators who are not suspended, locked until the transaction ends: in the
 * order of their ids at one go, so that two who change members never wait for each other.
 */
export function listAdminsAndMemberLocked(tx: Tx, id: string): Promise<MemberRow[]> {
  return tx.all(adminsAnd, { id })
}

type Membership = Pick<
  UserRow,
  'id' | 'role' | 'is_suspended' | 'suspended_at' | 'suspension_reason'
>

const update = statement((q, p: AsParams<Membership>) =>
  q
    .updateTable('users')
    .set(slots(p, ['role', 'is_suspended', 'suspended_at', 'suspension_reason']))
    .where('id', '=', p.id),
)

export async function updateMembership(tx: Tx, member: Membership): Promise<void> {
  await tx.run(update, { ...member })
}

const setTier = statement((q, p: { handle: string; tier: Tier }) =>
  q.updateTable('users').set({ tier: p.tier }).where('handle', '=', p.handle),
)

/** Sets the quota of a person; `handle` in lower case. False when there is nobody of that handle. */
export async function updateTier(db: Handle, handle: string, tier: Tier): Promise<boolean> {
  return (await db.run(setTier, { handle, tier })) > 0
}
