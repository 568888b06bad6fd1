import { sql } from 'kysely'
import type { Db } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { JobKind } from '../db/media-tables.ts'

/** Maximum number of deliveries that a query counts, which bounds its cost. */
const DELIVERIES_MAX = 100_000

const jobs = statement((q) =>
  q
    .selectFrom('jobs')
    .select((e) => ['kind', e.fn.countAll<number>().as('count'), e.fn.min('due_at').as('due_at')])
    .where('due_at', 'is not', null)
    .groupBy('kind'),
)

/** Counts the queued and running jobs of each kind, with the earliest due time. Omits kinds without jobs. */
export function countJobs(
  db: Db,
): Promise<{ kind: JobKind; count: number; due_at: number | null }[]> {
  return db.all(jobs, {})
}

const deliveries = statement((q) =>
  q
    .selectFrom((e) =>
      e
        .selectFrom('webhook_deliveries')
        .select('next_attempt_at')
        .where('next_attempt_at', 'is not', null)
        .limit(sql.lit(DELIVERIES_MAX))
        .as('pending'),
    )
    .select((e) => e.fn.countAll<number>().as('count')),
)

/** Counts the deliveries that are due or will be retried, up to DELIVERIES_MAX. */
export async function countDeliveries(db: Db): Promise<number> {
  return (await db.first(deliveries, {}))?.count ?? 0
}
