import type { Logger } from 'pino'
import type { Store } from './store.ts'

const EVERY_MS = 10_000

/**
 * Checks the storage every ten seconds. Logs when the storage becomes unavailable or full, and when it is
 * available again.
 */
export class StorageWatch {
  readonly #store: Store
  readonly #place: string
  readonly #log: Pick<Logger, 'info' | 'warn'>
  readonly #timer: NodeJS.Timeout
  #isHealthy = true

  /** `place` is the name of the storage in the log. */
  constructor(store: Store, place: string, log: Pick<Logger, 'info' | 'warn'>) {
    this.#store = store
    this.#place = place
    this.#log = log
    this.#timer = setInterval(() => void this.#check(), EVERY_MS).unref()
    void this.#check()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const isHealthy = await this.#store.isHealthy()
    if (isHealthy === this.#isHealthy) return
    this.#isHealthy = isHealthy
    if (isHealthy) this.#log.info(`storage: available again: ${this.#place}`)
    else this.#log.warn(`storage: unavailable or full: ${this.#place}`)
  }
}
