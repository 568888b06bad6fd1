import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { UserRow } from '../db/tables.ts'
import { insertUserCounts } from './counts.ts'

const insert = statement((q, p: AsParams<UserRow>) =>
  q
    .insertInto('users')
    .values(
      pickParams(p, [
        'id',
        'handle',
        'email',
        'email_key',
        'password_hash',
        'display_name',
        'bio',
        'avatar_url',
        'role',
        'tier',
        'is_suspended',
        'suspended_at',
        'suspension_reason',
        'last_seen_at',
        'created_at',
        'search_text',
        'permissions',
        'has_totp',
        'passkey_count',
        'recovery_code_count',
        'dm_policy',
        'email_verified',
        'pending_email',
        'sign_in_alerts',
        'erased_at',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

const addToTotal = statement((q, p: { change: number }) =>
  q.updateTable('member_total').set((e) => ({ total: e('total', '+', p.change) })),
)

const lockedTotal = statement((q, _p, dialect) =>
  dialect.locked(q.selectFrom('member_total').select('total')),
)

/** Locks the total, which each new account changes. */
export async function lockMemberTotal(tx: Tx): Promise<void> {
  await tx.all(lockedTotal, {})
}

export async function updateMemberTotal(tx: Tx, change: number): Promise<void> {
  await tx.run(addToTotal, { change })
}

/** Inserts a user and the user's counts. Returns false when the handle or the email is taken. */
export async function insertUser(tx: Tx, user: UserRow): Promise<boolean> {
  if ((await tx.run(insert, { ...user })) === 0) return false
  await insertUserCounts(tx, user.id)
  await updateMemberTotal(tx, 1)
  return true
}

const byId = statement((q, p: { id: string }) =>
  q.selectFrom('users').selectAll().where('id', '=', p.id),
)

export function findUser(db: Handle, id: string) {
  return db.first(byId, { id })
}

const byHandle = statement((q, p: { handle: string }) =>
  q.selectFrom('users').selectAll().where('handle', '=', p.handle).where('erased_at', 'is', null),
)

/** `handle` must be in lower case. Erased users have no handle. */
export function findUserByHandle(db: Handle, handle: string) {
  return db.first(byHandle, { handle })
}

const byEmail = statement((q, p: { emailKey: string }) =>
  q.selectFrom('users').selectAll().where('email_key', '=', p.emailKey),
)

export function findUserByEmail(db: Handle, emailKey: string) {
  return db.first(byEmail, { emailKey })
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

const insertLegacy = statement((q, p: { handle: string; email: string; imported_at: number }) =>
  q
    .insertInto('legacy_accounts')
    .values(pickParams(p, ['handle', 'email', 'imported_at']))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Several accounts may share a handle or email. Returns false when this account was already reserved. */
export async function insertLegacyAccount(
  tx: Tx,
  account: { handle: string; email: string },
  now: number,
): Promise<boolean> {
  return (await tx.run(insertLegacy, { ...account, imported_at: now })) > 0
}

const update = statement(
  (
    q,
    p: Pick<
      UserRow,
      | 'id'
      | 'display_name'
      | 'bio'
      | 'avatar_url'
      | 'email'
      | 'email_key'
      | 'password_hash'
      | 'search_text'
      | 'dm_policy'
      | 'email_verified'
      | 'pending_email'
      | 'sign_in_alerts'
    >,
  ) =>
    q
      .updateTable('users')
      .set(
        pickParams(p, [
          'display_name',
          'bio',
          'avatar_url',
          'email',
          'email_key',
          'password_hash',
          'search_text',
          'dm_policy',
          'email_verified',
          'pending_email',
          'sign_in_alerts',
        ]),
      )
      .where('id', '=', p.id),
)

/** Stores the fields that users can change themselves. Errors: UniqueViolation when the email is taken. */
export async function updateAccount(tx: Tx, user: UserRow): Promise<void> {
  await tx.run(update, { ...user })
}

const flagTotp = statement((q, p: { id: string; has_totp: Flag }) =>
  q.updateTable('users').set({ has_totp: p.has_totp }).where('id', '=', p.id),
)

/** Call it in the transaction that confirms or deletes the user's TOTP secret. */
export async function updateHasTotp(tx: Tx, id: string, has_totp: Flag): Promise<void> {
  await tx.run(flagTotp, { id, has_totp })
}

const anyone = statement((q) =>
  q.selectFrom('users').select('id').where('erased_at', 'is', null).limit(1),
)

export async function isEmpty(db: Handle): Promise<boolean> {
  return (await db.first(anyone, {})) === undefined
}

const locked = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('users').selectAll().where('id', '=', p.id)),
)

export function findUserLocked(tx: Tx, id: string) {
  return tx.first(locked, { id })
}

export type Seen = { id: string; at: number }

const touch = statement((q, p: { seen: Seen[] }, dialect) =>
  q
    .updateTable('users')
    .from(sql<Seen>`${dialect.rows(p.seen, { id: 'text', at: 'integer' })}`.as('seen'))
    .set((e) => ({ last_seen_at: e.ref('seen.at') }))
    .whereRef('users.id', '=', 'seen.id')
    // Another process may have stored a later visit.
    .where((e) =>
      e.or([e('users.last_seen_at', 'is', null), e('users.last_seen_at', '<', e.ref('seen.at'))]),
    ),
)

/** Stores the times of the users' last requests. `seen` contains each user only once. */
export async function updateUsersSeen(tx: Tx, seen: Seen[]): Promise<void> {
  await tx.run(touch, { seen })
}
