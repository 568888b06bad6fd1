import { BATCH, inBatches } from '../db/batches.ts'
import type { Db } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

/**
 * Longer than any wait for an attempt: gaps of WEBHOOK_RETRY_SCHEDULE are at most a week, and a fifth
 * more by chance. The schedule may have been another when a wait began, so its present gaps bound nothing.
 */
const WAIT_MAX_MS = 10 * 24 * 60 * 60 * 1000
/** Far longer than any lease. */
const LEASE_MAX_MS = 60 * 60 * 1000

const hurry = statement((q, p: { now: number; latest: number }) =>
  q
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: p.now })
    // Also of the row itself: an attempt may have ended since it was looked for.
    .where('next_attempt_at', '>', p.latest)
    .where('id', 'in', (e) =>
      e
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('next_attempt_at', '>', p.latest)
        .limit(BATCH),
    ),
)

const release = statement((q, p: { now: number; latest: number }) =>
  q
    .updateTable('webhooks')
    .set({ lease: null, leased_until: p.now })
    .where('leased_until', '>', p.latest),
)

/** Makes due what waits longer than anything does, and frees such leases: a clock ahead wrote them. */
export async function hurryDeliveries(db: Db, now: number): Promise<void> {
  await db.run(release, { now, latest: now + LEASE_MAX_MS })
  await inBatches(() => db.run(hurry, { now, latest: now + WAIT_MAX_MS }))
}
