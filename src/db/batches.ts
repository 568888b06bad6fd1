/** Deletes many rows in small transactions, so that other writes can run in between. */

/** Maximum rows deleted or updated by one statement, which limits how long it blocks other writes. */
export const BATCH = 1000
/** Maximum batches per round. The next round continues. */
const BATCHES_MAX = 50

/** Calls `remove` until it changes fewer than BATCH rows. `remove` returns how many rows it changed. */
export async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if ((await remove()) < BATCH) return
  }
}
