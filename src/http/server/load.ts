/** Rejects excess requests immediately, so that accepted requests finish in time. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '../../semaphore.ts'

interface LoadLimits {
  /**
   * Maximum number of requests in progress. Uploads do not count, nor do requests whose body is still arriving.
   */
  requests: number
  /**
   * Maximum milliseconds that requests may take in one turn of the event loop. Later requests of the turn are
   * rejected.
   */
  turnMs: number
}

/** Minimum length in characters of a large body, which can take milliseconds to parse. */
const LARGE_BODY = 16 * 1024
/** Pause after parsing a large body, as a multiple of the parsing time. */
const REST = 2

const LOAD_LIMITS: LoadLimits = { requests: 1024, turnMs: 1000 }

export class Load {
  readonly #limits: LoadLimits
  readonly #largeBodies = new Semaphore(1)
  #requests = 0
  #rejected = 0
  /** Time of the first request in the current turn of the event loop; undefined until that request. */
  #turnSince: number | undefined

  constructor(limits: LoadLimits = LOAD_LIMITS) {
    this.#limits = limits
  }

  get requests(): number {
    return this.#requests
  }

  get rejected(): number {
    return this.#rejected
  }

  /** True if one more request is accepted. Otherwise counts a rejection. */
  hasRoom(): boolean {
    const now = performance.now()
    if (this.#turnSince === undefined) {
      this.#turnSince = now
      // Runs at the end of the turn, after all readable sockets have been read.
      setImmediate(() => (this.#turnSince = undefined))
    }
    const { requests, turnMs } = this.#limits
    const has = this.#requests < requests && now - this.#turnSince < turnMs
    if (!has) this.#rejected++
    return has
  }

  async hold<T>(action: () => Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await action()
    } finally {
      this.#requests--
    }
  }

  /**
   * Parses a body with `read` and returns its result. Parses large bodies one at a time, with pauses for other
   * requests.
   */
  readBody<T>(text: string, read: (text: string) => T): T | Promise<T> {
    if (text.length < LARGE_BODY) return read(text)
    return this.#largeBodies.run(1, async () => {
      await nextTurn()
      const started = performance.now()
      try {
        return read(text)
      } finally {
        await sleep((performance.now() - started) * REST)
      }
    })
  }
}
