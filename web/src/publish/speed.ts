/** Milliseconds between measurements. `WEIGHT` is the weight of a new one in the moving average. */
const SPAN_MS = 1000
const WEIGHT = 0.3

/** Measures the speed of an upload in bytes per second, smoothed for display. */
export class SpeedMeter {
  #at: number | undefined
  #sent = 0
  #speed: number | undefined

  /** Records the bytes sent by `now` and returns the speed. Undefined during the first second. */
  note(sent: number, now: number): number | undefined {
    if (this.#at === undefined) {
      this.#at = now
      this.#sent = sent
      return undefined
    }
    const passed = now - this.#at
    if (passed < SPAN_MS) return this.#speed
    const measured = ((sent - this.#sent) / passed) * 1000
    this.#speed =
      this.#speed === undefined ? measured : measured * WEIGHT + this.#speed * (1 - WEIGHT)
    this.#at = now
    this.#sent = sent
    return this.#speed
  }
}
