import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which other requests get a turn. */
const TURN_MS = 10

/** Shares the event loop between a search, which may compare many long texts, and other requests. */
export class Turns {
  #since = performance.now()

  /** Lets other requests run if this search has run for TURN_MS since the last time. Call it after each text. */
  async pass(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return
    await setImmediate()
    this.#since = performance.now()
  }
}
