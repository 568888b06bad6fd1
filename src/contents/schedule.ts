/** Publishes drafts at the times that their authors chose (`publish_at`). */
import { sql } from 'kysely'
import { DatabaseUnavailable, type Db } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import { invalid } from '../errors.ts'
import { parseTime } from '../http/times.ts'
import { publish, readinessOf } from './conversion.ts'
import { lockContents } from './conversion-queries.ts'

const AHEAD_MIN_MS = 1000
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

interface Due {
  id: string
  creator_id: string
  publish_at: number
}

const due = statement((q, p: { now: number; time: number; id: string; limit: number }) =>
  q
    .selectFrom('contents')
    .select(['id', 'creator_id', sql<number>`publish_at`.as('publish_at')])
    .where('publish_at', 'is not', null)
    .where('status', '=', DRAFT)
    .where('publish_at', '<=', p.now)
    .where(sql<boolean>`(publish_at, id) > (${p.time}, ${p.id})`)
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
 * Publishes the drafts that are due, the earliest first, each in its own transaction. Drafts whose media are not
 * converted yet become `processing`. Several processes may call this function at once. Continues after all errors
 * except a database outage, and throws the first error at the end.
 */
export async function publishDue(db: Db, now: number, converts: boolean): Promise<void> {
  const errors: unknown[] = []
  let last: Pick<Due, 'id' | 'publish_at'> = { id: '', publish_at: 0 }
  for (;;) {
    const { id, publish_at: time } = last
    const rows: Due[] = await db.all(due, { now, time, id, limit: BATCH })
    for (const row of rows) {
      await publishOne(db, row, now, converts).catch((error: unknown) => errors.push(error))
    }
    const end = rows.at(-1)
    // Stops during an outage of the database. The next call continues.
    if (!end || rows.length < BATCH || errors.some(isOutage)) break
    last = end
  }
  if (errors.length > 0) throw errors[0]
}

const isOutage = (error: unknown) => error instanceof DatabaseUnavailable

function publishOne(db: Db, { id, creator_id }: Due, now: number, converts: boolean) {
  return db.transaction(async (tx) => {
    // Locks or queues the conversion jobs first, because jobs come before contents in the lock order.
    if (converts) await readinessOf(tx, creator_id, id, now)
    await lockContents(tx, [id])
    // The author may have cancelled the schedule or published the draft since the query.
    if ((await tx.run(start, { id, now })) === 0) return
    await publish(tx, [id], { awaits: converts ? 'all' : 'running', now })
  })
}
