/**
 * When people were last here. Requests only note it in memory; one small write every few seconds
 * stores it, at most once a minute for each session.
 */
import type { Db } from '../db/handle.ts'
import { updateUsersSeen } from '../users/accounts.ts'
import { updateSessionsSeen } from './queries.ts'

const PRECISION_MS = 60_000
const FLUSH_MS = 5000

export class LastSeen {
  readonly #seen = new Map<string, string>()
  readonly #db: Db
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout

  constructor(db: Db, now: () => number, onError: (error: unknown) => void) {
    this.#db = db
    this.#now = now
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Notes a request of this session; `stored` is what the database holds. */
  note(sessionId: string, userId: string, stored: number, now: number): void {
    if (now - stored >= PRECISION_MS) this.#seen.set(sessionId, userId)
  }

  /** Stores what was noted. Never rejects: a figure that is a minute old is no failure. */
  async flush(): Promise<void> {
    if (this.#seen.size === 0) return
    const sessions = [...this.#seen.keys()]
    const users = [...new Set(this.#seen.values())].sort()
    this.#seen.clear()
    try {
      const now = this.#now()
      await this.#db.transaction(async (tx) => {
        // People before sessions, as a suspension does, so that the two cannot wait for each other.
        await updateUsersSeen(tx, users, now)
        await updateSessionsSeen(tx, sessions, now)
      })
    } catch (error) {
      this.#onError(error)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
