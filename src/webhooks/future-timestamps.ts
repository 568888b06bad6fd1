import { BATCH, inBatches } from '../db/batches.ts'
import type { Db } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import { LEASE_MS } from './deliver.ts'

/** Allowed clock difference between machines. */
const TOLERANCE_MS = 30_000

const reschedule = statement((q, p: { now: number; latest: number }) =>
  q
    .updateTable('webhook_deliveries')
    .set((e) => ({
      // The length of the wait stays the same.
      next_attempt_at: e(e('next_attempt_at', '-', e.ref('scheduled_at')), '+', p.now),
      scheduled_at: p.now,
    }))
    // Repeated here because another process may have rescheduled the row since the subquery read it.
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

const release = statement((q, p: { now: number; latest: number }) =>
  q
    .updateTable('webhooks')
    .set({ lease: null, leased_until: p.now })
    .where('leased_until', '>', p.latest),
)

/**
 * Reschedules pending deliveries and releases leases that were written while a clock was ahead. Each
 * delivery then waits from now as long as it was meant to wait.
 */
export async function repairFutureTimestamps(db: Db, now: number): Promise<void> {
  const latest = now + TOLERANCE_MS
  await db.run(release, { now, latest: latest + LEASE_MS })
  await inBatches(() => db.run(reschedule, { now, latest }))
}
