/** A budget that is shared: who wants more than is left waits, in the order they came. */
export class Budget {
  #left: number
  readonly #waiting: { share: number; start: () => void }[] = []

  constructor(total: number) {
    this.#left = total
  }

  /** Runs `work` once this share of the budget, at most all of it, is free. */
  async spend<T>(share: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && share <= this.#left) this.#left -= share
    else await new Promise<void>((start) => this.#waiting.push({ share, start }))
    try {
      return await work()
    } finally {
      this.#left += share
      this.#startNext()
    }
  }

  #startNext(): void {
    for (;;) {
      const [next] = this.#waiting
      if (!next || next.share > this.#left) return
      this.#waiting.shift()
      this.#left -= next.share
      next.start()
    }
  }
}
