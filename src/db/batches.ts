/** Maximum rows that one statement deletes or updates, which limits how long it blocks other writes. */
export const BATCH = 1000
const BATCHES_MAX = 50

/** Calls `change` until it changes fewer than BATCH rows, at most BATCHES_MAX times. */
export async function inBatches(change: () => Promise<number>): Promise<void> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if ((await change()) < BATCH) return
  }
}
