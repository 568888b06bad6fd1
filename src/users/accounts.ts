import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { findRow, findRowLocked, hasRow, insertNew, updateRows, addToRows } from '../db/rows.ts'
import { pickParams, statement } from '../db/statement.ts'
import type { UserRow } from '../db/tables.ts'
import { indexUser } from '../indexing/documents.ts'
import { insertUserCounts } from './counts.ts'
import { toUserRef } from './schema.ts'

/** Locks the total number of users, which each new account changes. */
export async function lockUserTotal(tx: Tx): Promise<void> {
  await findRowLocked(tx, 'member_total', { id: 1 })
}

export async function updateUserTotal(tx: Tx, change: number): Promise<void> {
  await addToRows(tx, 'member_total', { id: 1 }, { total: change })
}

/**
 * Inserts a user with counts and search entry, and increases the total of users. Returns false when the handle or the
 * email is taken.
 */
export async function insertUser(tx: Tx, user: UserRow): Promise<boolean> {
  if (!(await insertNew(tx, 'users', user))) return false
  await insertUserCounts(tx, user.id)
  await indexUser(tx, user)
  await updateUserTotal(tx, 1)
  return true
}

export function findUser(db: Handle, id: string) {
  return findRow(db, 'users', { id })
}

/** Returns a user as shown next to content and in webhook events. Throws when the user does not exist. */
export async function loadUserRef(db: Handle, id: string) {
  const user = await findUser(db, id)
  if (!user) throw new Error(`user ${id} does not exist`)
  return toUserRef(user)
}

/** Returns the user with this handle, which must be in lower case. Never returns an erased user. */
export function findUserByHandle(db: Handle, handle: string) {
  return findRow(db, 'users', { handle, erased_at: null })
}

export function findUserByEmail(db: Handle, emailKey: string) {
  return findRow(db, 'users', { email_key: emailKey })
}

const legacy = statement((q, p: { handle: string; email: string }) =>
  q
    .selectFrom('legacy_accounts')
    .select('handle')
    .where((e) => e.or([e('handle', '=', p.handle), e('email', '=', p.email)])),
)

/** True when an account of the former service has this handle or email (both in lower case). */
export async function isLegacy(db: Handle, handle: string, email: string): Promise<boolean> {
  return (await db.first(legacy, { handle, email })) !== undefined
}

/**
 * Reserves the handle and email of a legacy account. Several legacy accounts may share a handle or an email. Returns
 * false when this pair is already reserved.
 */
export async function insertLegacyAccount(
  tx: Tx,
  account: { handle: string; email: string },
  now: number,
): Promise<boolean> {
  return insertNew(tx, 'legacy_accounts', { ...account, imported_at: now })
}

/**
 * Stores the columns that a user's own actions change, such as profile, email, password and preferences. Errors:
 * UniqueViolation when the email is taken.
 */
export async function updateAccount(tx: Tx, user: UserRow): Promise<void> {
  await updateRows(
    tx,
    'users',
    { id: user.id },
    pickParams(user, [
      'display_name',
      'bio',
      'avatar_url',
      'avatar_sizes',
      'email',
      'email_key',
      'password_hash',
      'search_text',
      'dm_policy',
      'email_verified',
      'pending_email',
      'sign_in_alerts',
      'adult_filter',
      'flashing_filter',
      'is_indexed',
    ]),
  )
}

/**
 * Stores whether the user has confirmed TOTP. Call it in the transaction that confirms or deletes the user's
 * TOTP secret.
 */
export async function updateHasTotp(tx: Tx, id: string, has_totp: Flag): Promise<void> {
  await updateRows(tx, 'users', { id }, { has_totp })
}

export async function isEmpty(db: Handle): Promise<boolean> {
  return !(await hasRow(db, 'users', { erased_at: null }))
}

export function findUserLocked(tx: Tx, id: string) {
  return findRowLocked(tx, 'users', { id })
}

export type Seen = { id: string; time: number }

const touch = statement((q, p: { seen: Seen[] }, dialect) =>
  q
    .updateTable('users')
    .from(sql<Seen>`${dialect.rows(p.seen, { id: 'text', time: 'integer' })}`.as('seen'))
    .set((e) => ({ last_seen_at: e.ref('seen.time') }))
    .whereRef('users.id', '=', 'seen.id')
    // Another process may have stored a later visit.
    .where((e) =>
      e.or([e('users.last_seen_at', 'is', null), e('users.last_seen_at', '<', e.ref('seen.time'))]),
    ),
)

/** Stores the times of the users' last requests. `seen` contains each user only once. */
export async function updateUsersSeen(tx: Tx, seen: Seen[]): Promise<void> {
  await tx.run(touch, { seen })
}
