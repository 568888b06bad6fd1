/** Wakes those who deliver, once there is something to: they would find it by themselves a second later. */
import type { Tx } from '../db/handle.ts'

const wakers = new Set<() => void>()

/** Calls `wake` after each commit in this process that left deliveries; ends with what this returns. */
export function onAnnounced(wake: () => void): () => void {
  wakers.add(wake)
  return () => void wakers.delete(wake)
}

/** To be called in a transaction that leaves deliveries. */
export function announce(tx: Tx): void {
  tx.afterCommit(() => {
    for (const wake of wakers) wake()
  })
}
