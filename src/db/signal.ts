import type { Tx } from './handle.ts'

/**
 * Wakes background workers in this process after a commit. Without it they would find the new jobs
 * within a second by polling, as workers in other processes do.
 */
export class Signal {
  readonly #listeners = new Set<() => void>()

  /**
   * Calls `listener` after each commit that raised the signal. Returns a function that unsubscribes.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Notifies the listeners after this transaction commits. */
  raise(tx: Tx): void {
    tx.afterCommit(() => {
      for (const listener of this.#listeners) listener()
    })
  }
}
