import type { Handle, Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const insert = statement((q, p: { id: string; now: number }) =>
  q
    .insertInto('erasures')
    .values({ id: p.id, erased_at: p.now })
    .onConflict((conflict) => conflict.doNothing()),
)

export async function insertErasure(tx: Tx, id: string, now: number): Promise<void> {
  await tx.run(insert, { id, now })
}

const lock = statement((q, p: { id: string }, dialect) =>
  dialect.locked(q.selectFrom('content_stats').select('content_id').where('content_id', '=', p.id)),
)

/** Returns false when the content item does not exist. */
export async function lockStats(tx: Tx, id: string): Promise<boolean> {
  return (await tx.first(lock, { id })) !== undefined
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
