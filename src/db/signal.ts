import type { Tx } from './handle.ts'

/**
 * Tells those of this process who do what transactions leave to do; they would find it by themselves a
 * second later, as other processes do.
 */
export class Signal {
  readonly #listeners = new Set<() => void>()

  /** Calls `listener` after each commit that raised it; ends with what this returns. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** To be called in a transaction that leaves something to do. */
  raise(tx: Tx): void {
    tx.afterCommit(() => {
      for (const listener of this.#listeners) listener()
    })
  }
}
