/**
 * How much a server takes on at once. What is beyond it is turned away at once, with 503, so that
 * what was taken is answered in time and the server is well again as soon as the surplus ends.
 */

interface LoadLimits {
  /** Requests whose bodies are here and that are being worked on. */
  requests: number
  /** Milliseconds that one turn of the event loop may already have taken when a request comes. */
  turnMs: number
}

const LOAD_LIMITS: LoadLimits = { requests: 1024, turnMs: 1000 }

export class Load {
  readonly #limits: LoadLimits
  #requests = 0
  #turnedAway = 0
  /** When the turn of the event loop that is under way began; undefined before its first request. */
  #turnSince: number | undefined

  constructor(limits: LoadLimits = LOAD_LIMITS) {
    this.#limits = limits
  }

  /** Requests that are being worked on. */
  get requests(): number {
    return this.#requests
  }

  /** Requests for which there was no room, since the start. */
  get turnedAway(): number {
    return this.#turnedAway
  }

  /** Whether there is room for one more request; counts it where there is none. */
  hasRoom(): boolean {
    const now = performance.now()
    if (this.#turnSince === undefined) {
      this.#turnSince = now
      // Runs when all that this turn found to read has been read.
      setImmediate(() => (this.#turnSince = undefined))
    }
    const { requests, turnMs } = this.#limits
    const has = this.#requests < requests && now - this.#turnSince < turnMs
    if (!has) this.#turnedAway++
    return has
  }

  /** Does work on a request, which is counted while it lasts. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await work()
    } finally {
      this.#requests--
    }
  }
}
