import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { addressKeys, type ClientAddress, isLoopback } from '../limits/address.ts'
import { Semaphore, SemaphorePerOwner } from '../semaphore.ts'

/** Maximum searches that run at once in a process. A search can use a database connection for a long time. */
const RUNNING_MAX = 4
/** Maximum searches that run or wait. The server rejects further ones. */
const STARTED_MAX = 64
/** Maximum searches of one owner (see `ownerOf`) that run (OWN_RUNNING_MAX), and that run or wait (OWN_STARTED_MAX). */
const OWN_RUNNING_MAX = 2
const OWN_STARTED_MAX = 16
const RETRY_AFTER_S = 2

/**
 * Returns the owner of a search: the viewer, or the client's IPv4 address or /48 network. Returns undefined for clients
 * on this machine, which have no limit of their own.
 */
export function ownerOf(viewer: Viewer | null, client: ClientAddress): string | undefined {
  if (viewer) return viewer.id
  return isLoopback(client) ? undefined : addressKeys(client.ip).at(-1)
}

export class SearchLimit {
  readonly #running = new Semaphore(RUNNING_MAX)
  readonly #ownRunning = new SemaphorePerOwner(OWN_RUNNING_MAX)
  readonly #ownStarted = new Map<string, number>()
  #started = 0

  /**
   * Waits for a free slot and runs the search. RUNNING_MAX searches can run at once, and OWN_RUNNING_MAX of one owner.
   * Errors: 503 SERVICE_UNAVAILABLE when STARTED_MAX searches, or OWN_STARTED_MAX of this owner, run or wait.
   */
  async run<T>(owner: string | undefined, search: () => Promise<T>): Promise<T> {
    const own = owner === undefined ? 0 : (this.#ownStarted.get(owner) ?? 0)
    if (this.#started >= STARTED_MAX || own >= OWN_STARTED_MAX) {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_AFTER_S })
    }
    const inTurn = () => this.#running.run(1, search)
    this.#started++
    if (owner !== undefined) this.#ownStarted.set(owner, own + 1)
    try {
      return await (owner === undefined ? inTurn() : this.#ownRunning.run(owner, inTurn))
    } finally {
      this.#started--
      if (owner !== undefined) this.#end(owner)
    }
  }

  #end(owner: string): void {
    const left = (this.#ownStarted.get(owner) ?? 1) - 1
    if (left > 0) this.#ownStarted.set(owner, left)
    else this.#ownStarted.delete(owner)
  }
}
