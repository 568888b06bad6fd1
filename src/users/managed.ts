import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { hasRow, updateRows } from '../db/rows.ts'
import { type Dialect, FALSE, type Query, type Range, statement } from '../db/statement.ts'
import type { Tier, UserRow } from '../db/tables.ts'

export type ManagedUserRow = Pick<
  UserRow,
  | 'id'
  | 'handle'
  | 'email'
  | 'display_name'
  | 'avatar_url'
  | 'avatar_sizes'
  | 'role'
  | 'permissions'
  | 'is_suspended'
  | 'suspended_at'
  | 'suspension_reason'
  | 'created_at'
  | 'last_seen_at'
>

/** Returns the fields that an audit entry about a role or a suspension stores. */
export function toAuditFields({ role, is_suspended, suspension_reason }: ManagedUserRow) {
  return { role, is_suspended: is_suspended === 1, suspension_reason }
}

function managedUsers(q: Query) {
  return q
    .selectFrom('users')
    .select([
      'id',
      'handle',
      'email',
      'display_name',
      'avatar_url',
      'avatar_sizes',
      'role',
      'permissions',
      'is_suspended',
      'suspended_at',
      'suspension_reason',
      'created_at',
      'last_seen_at',
    ])
    .where('erased_at', 'is', null)
}

const newest = statement((q, p: Range) =>
  managedUsers(q).orderBy('id', 'desc').limit(p.limit).offset(p.offset),
)
const total = statement((q) => q.selectFrom('member_total').select('total'))

/** Returns a page of all users, newest first, with the total. */
export async function listManagedUsers(db: Handle, range: Range) {
  const [users, count] = await Promise.all([db.all(newest, range), db.first(total, {})])
  return { users, total: count?.total ?? 0 }
}

const SCAN_MAX = 1000

const matching = (q: Query, p: { search: string }, dialect: Dialect) =>
  q
    .selectFrom('users')
    .select('id')
    .where(dialect.contains('search_text', p.search))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
const found = statement((q, p: { search: string }, dialect) =>
  matching(q, p, dialect).limit(sql.lit(SCAN_MAX)),
)
const foundFurther = statement((q, p: Range & { search: string }, dialect) =>
  matching(q, p, dialect).limit(p.limit).offset(p.offset),
)
const foundTotal = statement((q, p: { search: string }, dialect) =>
  q
    .selectFrom('users')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where(dialect.contains('search_text', p.search)),
)
const byIds = statement((q, p: { ids: string[] }, dialect) =>
  managedUsers(q)
    .where(dialect.anyOf('id', p.ids))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
)

/**
 * Returns a page of the users whose handle, name, email or id contains the case-folded text, newest first, with the
 * total. The first scan stops after a thousand users; a second scan then counts all.
 */
export async function searchManagedUsers(db: Handle, search: string, { limit, offset }: Range) {
  const scanned = await db.all(found, { search })
  const isAll = scanned.length < SCAN_MAX
  const count = isAll ? scanned.length : ((await db.first(foundTotal, { search }))?.total ?? 0)
  const isDeep = !isAll && offset < count && offset + limit > SCAN_MAX
  const page = isDeep
    ? await db.all(foundFurther, { search, limit, offset })
    : scanned.slice(offset, offset + limit)
  const ids = page.map(({ id }) => id)
  const users = ids.length > 0 ? await db.all(byIds, { ids }) : []
  return { users, total: count }
}

const byId = statement((q, p: { id: string }) => managedUsers(q).where('id', '=', p.id))

export function findManagedUser(db: Handle, id: string): Promise<ManagedUserRow | undefined> {
  return db.first(byId, { id })
}

const lockedByHandle = statement((q, p: { handle: string }, dialect) =>
  dialect.locked(managedUsers(q).where('handle', '=', p.handle)),
)

/** Locks and returns the user with this handle, which must be in lower case. */
export function findManagedUserByHandleLocked(
  tx: Tx,
  handle: string,
): Promise<ManagedUserRow | undefined> {
  return tx.first(lockedByHandle, { handle })
}

const adminsAnd = statement((q, p: { id: string; viewerId: string }, dialect) =>
  dialect.locked(
    managedUsers(q)
      .where((e) =>
        e.or([
          e.and([e('role', '=', sql.lit('admin')), e('is_suspended', '=', FALSE)]),
          e('id', '=', p.id),
          e('id', '=', p.viewerId),
        ]),
      )
      .orderBy('id'),
  ),
)

/**
 * Locks and returns the user, the viewer and all active administrators. A single statement locks them in the order of
 * their ids, so parallel changes cannot deadlock.
 */
export function listUserAndAdminsLocked(
  tx: Tx,
  who: { id: string; viewerId: string },
): Promise<ManagedUserRow[]> {
  return tx.all(adminsAnd, who)
}

type Membership = Pick<
  UserRow,
  'id' | 'role' | 'permissions' | 'is_suspended' | 'suspended_at' | 'suspension_reason'
>

export async function updateMembership(tx: Tx, membership: Membership): Promise<void> {
  const { id, ...changes } = membership
  // An administrator's address counts as verified.
  const verified = changes.role === 'admin' && { email_verified: 1 as const }
  await updateRows(tx, 'users', { id }, { ...changes, ...verified })
}

/**
 * Changes the tier of the user with this handle, which must be in lower case. Returns false when there is no
 * such user.
 */
export async function updateTier(db: Handle, handle: string, tier: Tier): Promise<boolean> {
  return (await updateRows(db, 'users', { handle }, { tier })) > 0
}

/** True when there is an administrator, suspended or not. */
export async function hasAdmin(db: Handle): Promise<boolean> {
  return hasRow(db, 'users', { role: 'admin' })
}
