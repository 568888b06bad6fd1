/**
 * Limits how much the server handles at once. Requests over the limit get 503 immediately. So accepted
 * requests finish in time, and the server recovers as soon as the surplus ends.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '../semaphore.ts'

interface LoadLimits {
  /** Maximum number of requests being handled, not counting those whose body is still arriving. */
  requests: number
  /**
   * A request is rejected if the current turn of the event loop has already taken this many
   * milliseconds.
   */
  turnMs: number
}

/** Bodies of at least this many characters can take milliseconds to read. */
const LARGE_BODY = 16 * 1024
/** Pause after a large body, as a multiple of its reading time. */
const REST = 2

const LOAD_LIMITS: LoadLimits = { requests: 1024, turnMs: 1000 }

export class Load {
  readonly #limits: LoadLimits
  readonly #largeBodies = new Semaphore(1)
  #requests = 0
  #turnedAway = 0
  /** Start of the current turn of the event loop; undefined before its first request. */
  #turnSince: number | undefined

  constructor(limits: LoadLimits = LOAD_LIMITS) {
    this.#limits = limits
  }

  /** Number of requests being handled. */
  get requests(): number {
    return this.#requests
  }

  /** Number of requests rejected since the start for lack of room. */
  get turnedAway(): number {
    return this.#turnedAway
  }

  /** True when there is room for one more request. Counts a rejection otherwise. */
  hasRoom(): boolean {
    const now = performance.now()
    if (this.#turnSince === undefined) {
      this.#turnSince = now
      // Runs after all sockets that were readable in this turn have been read.
      setImmediate(() => (this.#turnSince = undefined))
    }
    const { requests, turnMs } = this.#limits
    const has = this.#requests < requests && now - this.#turnSince < turnMs
    if (!has) this.#turnedAway++
    return has
  }

  /** Runs `action`, which counts as one request until it ends. */
  async hold<T>(action: () => Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await action()
    } finally {
      this.#requests--
    }
  }

  /**
   * Reads a body. Large bodies are read one at a time with pauses in between, which leaves two thirds of the
   * event loop to other requests.
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
