import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { BATCH, inBatches } from '../db/batches.ts'
import { type AsParams, cached, pickParams, statement } from '../db/statement.ts'
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

const byId = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('sessions').selectAll().where('id', '=', p.id)),
)

export function findSessionLocked(tx: Tx, id: string) {
  return tx.first(byId, { id })
}

const insert = statement((q, p: AsParams<SessionRow>) =>
  q
    .insertInto('sessions')
    .values(
      pickParams(p, [
        'id',
        'user_id',
        'access_hash',
        'access_expires_at',
        'previous_access_hash',
        'previous_access_expires_at',
        'seed',
        'generation',
        'refreshed_at',
        'expires_at',
        'user_agent',
        'ip',
        'created_at',
        'last_seen_at',
      ]),
    ),
)

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx.run(insert, { ...session })
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

const ofUser = statement((q, p: { userId: string; now: number }) =>
  q
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc'),
)

/** Returns unexpired sessions, newest first. */
export function listSessionsOf(db: Handle, userId: string, now: number) {
  return db.all(ofUser, { userId, now })
}

const remove = statement((q, p: { id: string; userId: string }) =>
  q.deleteFrom('sessions').where('id', '=', p.id).where('user_id', '=', p.userId),
)

/** Returns false when the user has no such session. */
export async function deleteSession(tx: Handle, id: string, userId: string): Promise<boolean> {
  return (await tx.run(remove, { id, userId })) > 0
}

const removeOthers = statement((q, p: { userId: string; keep: string }) =>
  q.deleteFrom('sessions').where('user_id', '=', p.userId).where('id', '<>', p.keep),
)

/** Deletes a user's sessions except `keep`. */
export async function deleteSessionsOf(tx: Tx, userId: string, keep = ''): Promise<void> {
  await tx.run(removeOthers, { userId, keep })
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

const removeExpired = statement((q, p: { now: number }) =>
  q
    .deleteFrom('sessions')
    // Repeats the condition on the row to delete, because the session may have been renewed since the select.
    .where('expires_at', '<=', p.now)
    .where('id', 'in', (e) =>
      e.selectFrom('sessions').select('id').where('expires_at', '<=', p.now).limit(BATCH),
    ),
)

export async function deleteExpiredSessions(db: Handle, now: number): Promise<void> {
  await inBatches(() => db.run(removeExpired, { now }))
}

const touch = statement((q, p: { seen: Seen[] }, dialect) =>
  q
    .updateTable('sessions')
    .from(sql<Seen>`${dialect.rows(p.seen, { id: 'text', at: 'integer' })}`.as('seen'))
    .set((e) => ({ last_seen_at: e.ref('seen.at') }))
    .whereRef('sessions.id', '=', 'seen.id')
    .whereRef('sessions.last_seen_at', '<', 'seen.at'),
)

/** Stores the times of the sessions' last requests. `seen` contains each session only once. */
export async function updateSessionsSeen(tx: Tx, seen: Seen[]): Promise<void> {
  await tx.run(touch, { seen })
}
