/** A wall clock that differs from the monotonic one by this much more than before was set. */
const JUMP_MS = 60_000
/** How long a clock that was set is not trusted. */
const DISTRUST_MS = 3_600_000

/**
 * Tells whether the wall clock can be trusted, by comparing it with the monotonic clock. Work that
 * a wrong time would make irreversible, such as deleting what has expired, waits until it can.
 */
export class SteadyClock {
  readonly #monotonic: () => number
  #offset: number
  #trustedFrom = Number.NEGATIVE_INFINITY

  /** `monotonic` returns milliseconds that never jump. */
  constructor(now: number, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#offset = now - monotonic()
  }

  /** False for an hour after the clock was set, forward or back. Call it at least every minute. */
  isTrusted(now: number): boolean {
    const monotonic = this.#monotonic()
    const offset = now - monotonic
    if (Math.abs(offset - this.#offset) > JUMP_MS) this.#trustedFrom = monotonic + DISTRUST_MS
    this.#offset = offset
    return monotonic >= this.#trustedFrom
  }
}
