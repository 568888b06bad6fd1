/** Publishes drafts at the times that their authors chose (`publish_at`). */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import { invalid } from '../errors.ts'
import { parseTime } from '../http/times.ts'
import { publish, readinessOf } from './conversion.ts'
import { lockContents } from './conversion-queries.ts'

const AHEAD_MIN_MS = 1000
/** Maximum number of drafts that one query returns. */
const BATCH = 50
const DRAFT = sql.lit('draft' as const)

/**
 * Returns the time of a scheduled publication in epoch milliseconds, or null for null. Errors: 422 unless the time is
 * between one second and one year ahead.
 */
export function toPublishAt(text: string | null, now: number): number | null {
  if (text === null) return null
  const time = parseTime(text) ?? 0
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + 1)
  if (time < now + AHEAD_MIN_MS || time > latest.getTime()) {
    throw invalid('publish_at', 'invalid.schedule')
  }
  return time
}

const due = statement((q, p: { now: number; limit: number }) =>
  q
    .selectFrom('contents')
    .select(['id', 'creator_id'])
    .where('publish_at', 'is not', null)
    .where('status', '=', DRAFT)
    .where('publish_at', '<=', p.now)
    .orderBy('publish_at')
    .orderBy('id')
    .limit(p.limit),
)

const start = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('contents')
    .set({ status: sql.lit('processing' as const) })
    .where('id', '=', p.id)
    .where('status', '=', DRAFT)
    .where('publish_at', '<=', p.now),
)

/**
 * Publishes up to BATCH drafts that are due. Drafts whose media are not converted yet become `processing`, and the
 * end of the conversion publishes them. Several processes may call this at once. When a draft fails, tries the others
 * first and then throws the first error.
 */
export async function publishDue(db: Db, now: number, converts: boolean): Promise<void> {
  const awaits = converts ? 'all' : 'running'
  const errors: unknown[] = []
  for (const { id, creator_id } of await db.all(due, { now, limit: BATCH })) {
    const publishOne = async (tx: Tx) => {
      // Queues missing conversions. Lock order: jobs before content items.
      if (converts) await readinessOf(tx, creator_id, id, now)
      await lockContents(tx, [id])
      // The author may have cancelled the schedule or published the draft since the query.
      if ((await tx.run(start, { id, now })) > 0) await publish(tx, [id], { awaits, now })
    }
    await db.transaction(publishOne).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}
