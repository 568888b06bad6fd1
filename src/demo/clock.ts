import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../clock.ts'

/**
 * Clock of the demo. Each act sees its own time, even when acts run concurrently. Background work sees the time
 * of the latest act.
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

  /**
   * Returns the same time as `now`. Otherwise the server would treat each change of the demo's time as a clock
   * jump.
   */
  monotonic(): number {
    return this.now()
  }

  runAt<T>(time: number, act: () => Promise<T>): Promise<T> {
    this.#latest = Math.max(this.#latest, time)
    return this.#acting.run(time, act)
  }

  /**
   * Runs `act` at the current time of the system clock. The library of the proof of work compares times with the
   * system clock.
   */
  inPresent<T>(act: () => Promise<T>): Promise<T> {
    return this.#acting.run(Date.now(), act)
  }
}
