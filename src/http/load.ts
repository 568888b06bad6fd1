/**
 * How much a server takes on at once. What is beyond it is turned away at once, with 503, so that
 * what was taken is answered in time and the server is well again as soon as the surplus ends.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Budget } from '../budget.ts'

interface LoadLimits {
  /** Requests whose bodies are here and that are being worked on. */
  requests: number
  /** Milliseconds that one turn of the event loop may already have taken when a request comes. */
  turnMs: number
}

/** Characters from which reading a body can take milliseconds. */
const LARGE_BODY = 16 * 1024
/** Pause after a large body, as a multiple of the time that reading it took. */
const REST = 2

const LOAD_LIMITS: LoadLimits = { requests: 1024, turnMs: 1000 }

export class Load {
  readonly #limits: LoadLimits
  readonly #largeBodies = new Budget(1)
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

  /**
   * Reads a body. Large bodies are read one at a time with pauses in between, which leaves two thirds of the
   * event loop to other requests.
   */
  readBody<T>(text: string, read: (text: string) => T): T | Promise<T> {
    if (text.length < LARGE_BODY) return read(text)
    return this.#largeBodies.spend(1, async () => {
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
