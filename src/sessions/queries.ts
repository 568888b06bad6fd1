import { deleteInBatches } from '../db/batches.ts'
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { above, not, atMost } from '../db/conditions.ts'
import { deleteRows, findRowLocked, insertRow, listRows } from '../db/rows.ts'
import { cached, statement } from '../db/statement.ts'
import type { SessionRow } from '../db/tables.ts'
import type { Seen } from '../users/accounts.ts'

const byAccess = cached(
  ['sessions', 'users'],
  statement((q, p: { id: string }) =>
    q
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([
        'sessions.access_hash',
        'sessions.access_expires_at',
        'sessions.previous_access_hash',
        'sessions.previous_access_expires_at',
        'sessions.last_seen_at',
        'users.id',
        'users.handle',
        'users.role',
        'users.tier',
        'users.permissions',
        'users.email_verified',
        'users.is_suspended',
      ])
      .where('sessions.id', '=', p.id),
  ),
)

export function findSessionWithUser(db: Handle, id: string) {
  return db.first(byAccess, { id })
}

export function findSessionLocked(tx: Tx, id: string) {
  return findRowLocked(tx, 'sessions', { id })
}

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await insertRow(tx, 'sessions', session)
}

const rotate = statement(
  (
    q,
    p: {
      id: string
      generation: number
      access_hash: string
      access_expires_at: number
      refreshed_at: number
      expires_at: number
    },
  ) =>
    q
      .updateTable('sessions')
      .set((e) => ({
        generation: p.generation,
        previous_access_hash: e.ref('access_hash'),
        previous_access_expires_at: e.ref('access_expires_at'),
        access_hash: p.access_hash,
        access_expires_at: p.access_expires_at,
        refreshed_at: p.refreshed_at,
        expires_at: p.expires_at,
      }))
      .where('id', '=', p.id),
)

export async function updateSessionTokens(
  tx: Tx,
  session: Pick<
    SessionRow,
    'id' | 'generation' | 'access_hash' | 'access_expires_at' | 'refreshed_at' | 'expires_at'
  >,
): Promise<void> {
  await tx.run(rotate, session)
}

/** Returns a user's unexpired sessions, newest first. */
export function listSessionsOf(db: Handle, userId: string, now: number) {
  return listRows(
    db,
    'sessions',
    { user_id: userId, expires_at: above(now) },
    { by: 'id', desc: true },
  )
}

/** Deletes a session. Returns false when the user has no such session. */
export async function deleteSession(tx: Handle, id: string, userId: string): Promise<boolean> {
  return (await deleteRows(tx, 'sessions', { id, user_id: userId })) > 0
}

/** Deletes all sessions of a user, except the session with the id `keep` if there is one. */
export async function deleteSessionsOf(tx: Tx, userId: string, keep = ''): Promise<void> {
  await deleteRows(tx, 'sessions', { user_id: userId, id: not(keep) })
}

const SESSIONS_MAX = 100

const removeOldest = statement((q, p: { userId: string; keep: string }) =>
  q
    .deleteFrom('sessions')
    .where('user_id', '=', p.userId)
    .where('id', '<>', p.keep)
    .where('id', '<=', (e) =>
      e
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', p.userId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(SESSIONS_MAX),
    ),
)

/** Deletes a user's oldest sessions beyond SESSIONS_MAX, but never `keep`. Requires the user's lock. */
export async function deleteOldestSessions(tx: Tx, userId: string, keep: string): Promise<void> {
  await tx.run(removeOldest, { userId, keep })
}

export async function deleteExpiredSessions(db: Handle, now: number): Promise<void> {
  await deleteInBatches(db, 'sessions', ['id'], { expires_at: atMost(now) })
}

const touch = statement((q, p: { seen: Seen[] }, dialect) =>
  q
    .updateTable('sessions')
    .from(sql<Seen>`${dialect.rows(p.seen, { id: 'text', time: 'integer' })}`.as('seen'))
    .set((e) => ({ last_seen_at: e.ref('seen.time') }))
    .whereRef('sessions.id', '=', 'seen.id')
    .whereRef('sessions.last_seen_at', '<', 'seen.time'),
)

/**
 * Stores the time of the last request of each session, unless a later time is stored. `seen` must contain each
 * session only once.
 */
export async function updateSessionsSeen(tx: Tx, seen: Seen[]): Promise<void> {
  await tx.run(touch, { seen })
}
