import { sql } from 'kysely'
import type { ErasureRow } from '../db/erasure-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { insertNew } from '../db/rows.ts'
import { statement } from '../db/statement.ts'

export async function insertErasure(tx: Tx, id: string, now: number): Promise<void> {
  await insertNew(tx, 'erasures', { id, erased_at: now })
}

const lock = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('content_stats').select('content_id').where('content_id', '=', p.id)),
)

/** Returns false when the content item does not exist. */
export async function lockStats(tx: Tx, id: string): Promise<boolean> {
  return (await tx.first(lock, { id })) !== undefined
}

const queued = statement((q, p: { limit: number }) =>
  q.selectFrom('jobs').select('subject').where('kind', '=', 'erasure').orderBy('id').limit(p.limit),
)

/** Returns the subjects of erasures that are not complete. */
export async function listQueuedErasures(db: Handle, limit: number): Promise<string[]> {
  return (await db.all(queued, { limit })).map(({ subject }) => subject)
}

const after = statement((q, p: { id: string; erased_at: number; limit: number }) =>
  q
    .selectFrom('erasures')
    .selectAll()
    .where(sql<boolean>`(erased_at, id) > (${p.erased_at}, ${p.id})`)
    .orderBy('erased_at')
    .orderBy('id')
    .limit(p.limit),
)

/** Returns erasures in the order of their times, after a place in that order. */
export function listErasures(db: Handle, place: ErasureRow, limit: number): Promise<ErasureRow[]> {
  return db.all(after, { ...place, limit })
}

const known = statement((q, p: { ids: string[] }, dialect) =>
  q.selectFrom('erasures').select('id').where(dialect.anyOf('id', p.ids)),
)

/** Returns the given ids that have a row in `erasures`. */
export async function listKnownErasures(db: Handle, ids: string[]): Promise<string[]> {
  return (await db.all(known, { ids })).map(({ id }) => id)
}

const failed = statement((q, p: { limit: number }) =>
  q
    .selectFrom('jobs')
    .select('subject')
    .where('kind', '=', 'erasure')
    .where('status', '=', 'failed')
    .limit(p.limit),
)

export async function listFailedErasures(db: Handle, limit: number): Promise<string[]> {
  return (await db.all(failed, { limit })).map(({ subject }) => subject)
}
