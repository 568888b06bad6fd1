import type { Db } from '../db/handle.ts'
import { inBatches } from '../db/batches.ts'
import { deleteDeliveredEvents, deleteEndedDeliveries } from './delivery-queries.ts'

const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Deletes deliveries that ended more than 30 days ago, their attempts, and events without deliveries. */
export async function deleteOldDeliveries(db: Db, now: number): Promise<void> {
  const before = now - KEPT_MS
  for (const remove of [deleteEndedDeliveries, deleteDeliveredEvents]) {
    await inBatches(() => remove(db, before))
  }
}
