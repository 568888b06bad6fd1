import { BATCH, inBatches } from '../db/batches.ts'
import type { Db } from '../db/handle.ts'
import { above } from '../db/conditions.ts'
import { updateRows } from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import { LEASE_MS } from './deliver.ts'

/** Maximum clock difference between machines that counts as normal, in milliseconds. */
const TOLERANCE_MS = 30_000

const reschedule = statement((q, p: { now: number; latest: number }) =>
  q
    .updateTable('webhook_deliveries')
    .set((e) => ({
      // Keeps the original waiting time, counted from now.
      next_attempt_at: e(e('next_attempt_at', '-', e.ref('scheduled_at')), '+', p.now),
      scheduled_at: p.now,
    }))
    // Repeats the conditions of the subquery, because another process may have rescheduled the row in the
    // meantime.
    .where('next_attempt_at', 'is not', null)
    .where('scheduled_at', '>', p.latest)
    .where('id', 'in', (e) =>
      e
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('next_attempt_at', 'is not', null)
        .where('scheduled_at', '>', p.latest)
        .limit(BATCH),
    ),
)

/**
 * Repairs timestamps from a clock that was ahead of the real time. Releases leases that end too far in the future, and
 * restarts the waiting time of pending deliveries.
 */
export async function repairFutureTimestamps(db: Db, now: number): Promise<void> {
  const latest = now + TOLERANCE_MS
  await updateRows(
    db,
    'webhooks',
    { leased_until: above(latest + LEASE_MS) },
    { lease: null, leased_until: now },
  )
  await inBatches(() => db.run(reschedule, { now, latest }))
}
