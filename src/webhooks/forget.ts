import type { Db } from '../db/handle.ts'
import { inBatches } from '../db/batches.ts'
import { deleteDeliveredEvents, deleteEndedDeliveries } from './delivery-queries.ts'

/** How long the log of a delivery is kept once it has ended. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Forgets deliveries that ended long ago, their attempts, and events that no delivery is left of. */
export async function deleteOldDeliveries(db: Db, now: number): Promise<void> {
  const before = now - KEPT_MS
  for (const remove of [deleteEndedDeliveries, deleteDeliveredEvents]) {
    await inBatches(() => remove(db, before))
  }
}
