/** How often the speed is measured, and how much a measurement counts beside those before it. */
const SPAN_MS = 1000
const WEIGHT = 0.3

/** The speed of an upload, in bytes a second, smoothed so that it can be read. */
export class SpeedMeter {
  #at: number | undefined
  #sent = 0
  #speed: number | undefined

  /** Takes how much was sent by `now`; undefined for the first second. */
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
