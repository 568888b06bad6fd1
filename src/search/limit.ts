import { ApiError } from '../errors.ts'
import { Semaphore } from '../semaphore.ts'

/** Maximum searches that run at once in a process. Each can use a database connection for a long time. */
const RUNNING_MAX = 4
/** Maximum searches that run or wait. The server rejects further ones. */
const STARTED_MAX = 64
const RETRY_AFTER_S = 2

export class SearchLimit {
  readonly #running = new Semaphore(RUNNING_MAX)
  #started = 0

  /** Runs a search once fewer than RUNNING_MAX run. Errors: 503 SERVICE_UNAVAILABLE when STARTED_MAX run or wait. */
  async run<T>(search: () => Promise<T>): Promise<T> {
    if (this.#started >= STARTED_MAX) {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_AFTER_S })
    }
    this.#started++
    try {
      return await this.#running.run(1, search)
    } finally {
      this.#started--
    }
  }
}
