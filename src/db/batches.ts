/** Deletes or updates many rows in small transactions, so that other writes can run between them. */

/** Maximum rows that one statement deletes or updates. Limits how long it blocks other writes. */
export const BATCH = 1000
/** Maximum batches per call. The next call continues. */
const BATCHES_MAX = 50

/**
 * Calls `remove` until it returns fewer than BATCH, at most BATCHES_MAX times. `remove` returns the number of
 * changed rows.
 */
export async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if ((await remove()) < BATCH) return
  }
}
