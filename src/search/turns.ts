import { setImmediate } from 'node:timers/promises'

/** Milliseconds that a search runs before it lets other requests run. */
const TURN_MS = 10

/** Shares the event loop between a search, which may compare many long texts, and other requests. */
export class Turns {
  #since = performance.now()

  /** Lets other requests run when this search has run for TURN_MS without a pause. Called after each text. */
  async pass(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return
    await setImmediate()
    this.#since = performance.now()
  }
}
