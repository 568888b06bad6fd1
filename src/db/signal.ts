import type { Tx } from './handle.ts'

/**
 * Wakes background workers of this process after a commit, so that they need not wait for their next poll.
 * Workers of other processes find new jobs by polling once a second.
 */
export class Signal {
  readonly #listeners = new Set<() => void>()

  /**
   * Calls `listener` after each commit of a transaction passed to `raise`. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls the listeners after this transaction commits. */
  raise(tx: Tx): void {
    tx.afterCommit(() => {
      for (const listener of this.#listeners) listener()
    })
  }
}
