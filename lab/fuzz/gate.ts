/** Read-write lock. `among` runs actions concurrently, `alone` runs an action exclusively. */
export class Gate {
  #inside = 0
  #alone: Promise<unknown> | undefined
  #onEmpty: (() => void) | undefined

  async among<T>(action: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone
    this.#inside++
    try {
      return await action()
    } finally {
      if (--this.#inside === 0) this.#onEmpty?.()
    }
  }

  async alone<T>(action: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#alone = promise
    try {
      if (this.#inside > 0) await new Promise<void>((done) => (this.#onEmpty = done))
      return await action()
    } finally {
      this.#onEmpty = undefined
      this.#alone = undefined
      resolve()
    }
  }
}
