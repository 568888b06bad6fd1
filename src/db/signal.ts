import type { Tx } from './handle.ts'

/** Wakes background workers of this process after a commit. Workers of other processes poll once a second. */
export class Signal {
  readonly #listeners = new Set<() => void>()

  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  raise(tx: Tx): void {
    tx.afterCommit(() => {
      for (const listener of this.#listeners) listener()
    })
  }
}
