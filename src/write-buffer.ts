/** Maximum number of buffered keys. Values for further keys are dropped until the next write. */
const WAITING_MAX = 10_000

/** Buffers small writes and stores them in batches, at an interval and when it is closed. */
export class WriteBuffer<T> {
  #waiting = new Map<string, T>()
  readonly #store: (notes: Map<string, T>) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #storing: Promise<void> = Promise.resolve()

  /** Every `everyMs` milliseconds, calls `store` with the values added since its last call, unless there are none. */
  constructor(
    everyMs: number,
    store: (notes: Map<string, T>) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#store = store
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), everyMs).unref()
  }

  /** Replaces the buffered value of the same key. Drops the value of a new key when the buffer is full. */
  add(key: string, value: T): void {
    if (this.#waiting.size < WAITING_MAX || this.#waiting.has(key)) this.#waiting.set(key, value)
  }

  /**
   * Stores all buffered values after any write in progress. Does not reject when storing fails, because losing these
   * values is acceptable.
   */
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
