/** A change of this many milliseconds in the offset between wall clock and monotonic clock counts as a jump. */
const JUMP_MS = 60_000
/** Milliseconds after a jump during which the clock is not trusted. */
const DISTRUST_MS = 3_600_000

/**
 * Detects jumps of the wall clock. Irreversible actions, such as deleting expired rows, wait until the clock is
 * trusted.
 */
export class SteadyClock {
  readonly #monotonic: () => number
  #offset: number
  #trustedFrom = Number.NEGATIVE_INFINITY

  constructor(now: number, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#offset = now - monotonic()
  }

  /**
   * True unless the wall clock has jumped within the last hour. Detects each jump only when called at least every
   * minute.
   */
  isTrusted(now: number): boolean {
    const monotonic = this.#monotonic()
    const offset = now - monotonic
    if (Math.abs(offset - this.#offset) > JUMP_MS) this.#trustedFrom = monotonic + DISTRUST_MS
    this.#offset = offset
    return monotonic >= this.#trustedFrom
  }
}
