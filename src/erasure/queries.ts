import { sql } from 'kysely'
import type { ErasureRow } from '../db/erasure-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { insertNew, findRowLocked, listColumn } from '../db/rows.ts'
import { statement } from '../db/statement.ts'

export async function insertErasure(tx: Tx, id: string, now: number): Promise<void> {
  await insertNew(tx, 'erasures', { id, erased_at: now })
}

/** Locks the counts of a content item. Returns false when the content item does not exist. */
export async function lockStats(tx: Tx, id: string): Promise<boolean> {
  return (await findRowLocked(tx, 'content_stats', { content_id: id })) !== undefined
}

/** Returns the ids of up to `limit` users and content items whose erasure is not complete. */
export async function listQueuedErasures(db: Handle, limit: number): Promise<string[]> {
  return listColumn(db, 'jobs', 'subject', { kind: 'erasure' }, { by: 'id', limit })
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

/** Returns up to `limit` erasures that follow `place` in the order of time, then id. */
export function listErasures(db: Handle, place: ErasureRow, limit: number): Promise<ErasureRow[]> {
  return db.all(after, { ...place, limit })
}

/** Returns the given ids that have a row in `erasures`. */
export async function listKnownErasures(db: Handle, ids: string[]): Promise<string[]> {
  return listColumn(db, 'erasures', 'id', { id: ids })
}

export async function listFailedErasures(db: Handle, limit: number): Promise<string[]> {
  return listColumn(db, 'jobs', 'subject', { kind: 'erasure', status: 'failed' }, { limit })
}
