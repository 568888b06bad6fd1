/**
 * Small writes that hold up no request: noted in memory, stored together every so often and at the
 * end of the process.
 */

/** Bounds memory: beyond it notes are dropped until the next write. */
const WAITING_MAX = 10_000

export class Backlog<T> {
  #waiting = new Map<string, T>()
  readonly #store: (notes: Map<string, T>) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #storing: Promise<void> = Promise.resolve()

  /** `store` gets all that was noted since it was called last, and is never called with nothing. */
  constructor(
    everyMs: number,
    store: (notes: Map<string, T>) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#store = store
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), everyMs).unref()
  }

  /** Notes this once, however often it is noted before the next write. */
  note(key: string, value: T): void {
    if (this.#waiting.size < WAITING_MAX) this.#waiting.set(key, value)
  }

  /** Stores what was noted, after what is being stored. Never rejects: a note that is lost is no failure. */
  flush(): Promise<void> {
    this.#storing = this.#storing.then(async () => {
      if (this.#waiting.size === 0) return
      const notes = this.#waiting
      this.#waiting = new Map()
      await this.#store(notes).catch(this.#onError)
    })
    return this.#storing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
