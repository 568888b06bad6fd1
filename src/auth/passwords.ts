/**
 * Password hashing with Argon2id (RFC 9106; parameters of the OWASP cheat sheet: 19 MiB, two
 * passes). Each hash holds a thread and its memory, so only a few run at once and a bounded number
 * waits; beyond that the answer is 503, and other routes never notice.
 */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../errors.ts'

/** Argon2id is the library's default algorithm. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** How many may wait: at some 20 ms each the last one waits about ten seconds on one core. */
const QUEUE_LIMIT = 500
/** Longest wait for a slot, well before a connection counts as idle. */
const WAIT_MAX_MS = 15_000

export class Passwords {
  readonly #slots = Math.max(1, availableParallelism() - 1)
  #active = 0
  /** Those who wait for a slot, in order. */
  readonly #waiting = new Set<() => void>()
  /** Verified against when there is no account, so that the time tells nothing. */
  #decoy: Promise<string> | undefined

  /**
   * Runs `work` when a slot is free; the guards that must precede a hash belong into it.
   * Errors: 503 SERVICE_UNAVAILABLE when too many wait, or the wait is too long.
   */
  async withSlot<T>(work: (slot: PasswordSlot) => Promise<T>): Promise<T> {
    if (this.#active >= this.#slots) {
      await this.#waitForSlot()
    } else {
      this.#active++
    }
    try {
      return await work({
        hash: (password) => hash(password, OPTIONS),
        matches: async (stored, password) =>
          (await verify(stored ?? (await this.#getDecoy()), password)) && stored !== undefined,
      })
    } finally {
      // The slot passes to the next in line, or becomes free.
      const [next] = this.#waiting
      if (next) next()
      else this.#active--
    }
  }

  #waitForSlot(): Promise<void> {
    const busy = () => new ApiError('SERVICE_UNAVAILABLE', { retryAfter: 5 })
    if (this.#waiting.size >= QUEUE_LIMIT) throw busy()
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        this.#waiting.delete(start)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(start)
        reject(busy())
      }, WAIT_MAX_MS)
      this.#waiting.add(start)
    })
  }

  /** The hash of a password, in PHC form. */
  hash(password: string): Promise<string> {
    return this.withSlot((slot) => slot.hash(password))
  }

  #getDecoy(): Promise<string> {
    this.#decoy ??= hash('no account has this password', OPTIONS)
    return this.#decoy
  }
}

export interface PasswordSlot {
  hash(password: string): Promise<string>
  /** False, in the same time, when `stored` is undefined. */
  matches(stored: string | undefined, password: string): Promise<boolean>
}
