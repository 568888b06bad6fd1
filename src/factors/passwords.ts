import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../errors.ts'

/**
 * Parameters for Argon2id (RFC 9106), the library's default variant: 19,456 KiB of memory, two passes, one
 * thread. The OWASP cheat sheet recommends them.
 */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Maximum waiting callers. At 20 ms per hash, the last one waits about ten seconds on one core. */
const QUEUE_LIMIT = 500
const WAIT_MAX_MS = 15_000

export class Passwords {
  /** Maximum simultaneous hashes. Each occupies a thread and 19 MiB. */
  readonly #slots = Math.max(1, availableParallelism() - 1)
  #active = 0
  readonly #waiting = new Set<() => void>()
  /** Hash to verify when the account does not exist, so that the response takes as long as for an existing account. */
  #decoy: Promise<string> | undefined

  /**
   * Calls `action` when a slot is free, and returns its result. Check rate limits inside `action`, immediately
   * before the hash. Errors: those of `action`; 503 SERVICE_UNAVAILABLE when 500 callers wait already, or after
   * 15 seconds.
   */
  async withSlot<T>(action: (slot: PasswordSlot) => Promise<T>): Promise<T> {
    if (this.#active >= this.#slots) {
      await this.#waitForSlot()
    } else {
      this.#active++
    }
    try {
      return await action({
        hash: (password) => hash(password, OPTIONS),
        matches: async (stored, password) =>
          (await verify(stored ?? (await this.#getDecoy()), password)) && stored !== undefined,
      })
    } finally {
      // Passes the slot to the first waiting caller.
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

  /** Returns the hash of a password in PHC format. Errors: 503 SERVICE_UNAVAILABLE as with `withSlot`. */
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
  /**
   * True when the password matches the hash `stored`. When `stored` is undefined, takes as long as a real
   * verification and returns false.
   */
  matches(stored: string | undefined, password: string): Promise<boolean>
}
