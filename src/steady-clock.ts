/** A larger change of the offset between wall clock and monotonic clock counts as a jump. */
const JUMP_MS = 60_000
/** Duration of distrust after a jump. */
const DISTRUST_MS = 3_600_000

/**
 * Decides whether the wall clock can be trusted, by comparing it with the monotonic clock. Irreversible
 * actions, such as deleting expired rows, wait until the wall clock is trusted.
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
