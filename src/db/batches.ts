/** Takes rows away some at a time, each batch a transaction of its own, so that others write between. */

/** Rows that one statement takes away or ends: bounds how long it holds up others. */
export const BATCH = 1000
/** Bounds what one round does; the next one goes on. */
const BATCHES_MAX = 50

/** Asks `remove` for batches of at most BATCH rows until one is not full. It tells how many it took. */
export async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let i = 0; i < BATCHES_MAX; i++) {
    if ((await remove()) < BATCH) return
  }
}
