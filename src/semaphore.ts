/** A limit that parallel tasks share. Tasks that do not fit wait in order of arrival. */
export class Semaphore {
  #left: number
  readonly #waiting: { share: number; start: () => void }[] = []

  constructor(total: number) {
    this.#left = total
  }

  /** Runs `action` once `share` of the limit is free. `share` must not exceed the limit. */
  async run<T>(share: number, action: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && share <= this.#left) this.#left -= share
    else await new Promise<void>((start) => this.#waiting.push({ share, start }))
    try {
      return await action()
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

/** Limits the number of simultaneous tasks of each owner. */
export class SemaphorePerOwner {
  readonly #total: number
  readonly #owners = new Map<string, { semaphore: Semaphore; waiting: number }>()

  constructor(total: number) {
    this.#total = total
  }

  async run<T>(owner: string, action: () => Promise<T>): Promise<T> {
    const own = this.#owners.get(owner) ?? { semaphore: new Semaphore(this.#total), waiting: 0 }
    this.#owners.set(owner, own)
    own.waiting++
    try {
      return await own.semaphore.run(1, action)
    } finally {
      if (--own.waiting === 0) this.#owners.delete(owner)
    }
  }
}
