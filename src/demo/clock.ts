import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../clock.ts'

/**
 * A clock that is wound from act to act. Each act has a time of its own, which the server sees for as
 * long as it answers that act, so acts under way together still happen when they should. Everything
 * else, such as background work, sees the time of the latest act.
 */
export class WoundClock implements Clock {
  readonly #acting = new AsyncLocalStorage<number>()
  #latest: number

  constructor(start: number) {
    this.#latest = start
  }

  now(): number {
    return this.#acting.getStore() ?? this.#latest
  }

  /** Every change of this clock is intended, so it never counts as a jump. */
  monotonic(): number {
    return this.now()
  }

  /** Lets an act happen at a time. */
  at<T>(time: number, act: () => Promise<T>): Promise<T> {
    this.#latest = Math.max(this.#latest, time)
    return this.#acting.run(time, act)
  }

  /** For what is judged by the clock of the machine whatever this one says: proofs of work. */
  inPresent<T>(act: () => Promise<T>): Promise<T> {
    return this.#acting.run(Date.now(), act)
  }
}
