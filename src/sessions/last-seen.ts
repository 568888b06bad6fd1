/** When people were last here: stored every few seconds, at most once a minute for each session. */
import { Backlog } from '../backlog.ts'
import type { Db } from '../db/handle.ts'
import { updateUsersSeen } from '../users/accounts.ts'
import { updateSessionsSeen } from './queries.ts'

const PRECISION_MS = 60_000
const FLUSH_MS = 5000

export class LastSeen {
  /** People by session. */
  readonly #seen: Backlog<string>

  constructor(db: Db, now: () => number, onError: (error: unknown) => void) {
    const store = (seen: Map<string, string>) =>
      db.transaction(async (tx) => {
        // People before sessions, as a suspension does, so that the two cannot wait for each other.
        await updateUsersSeen(tx, [...new Set(seen.values())].sort(), now())
        await updateSessionsSeen(tx, [...seen.keys()], now())
      })
    this.#seen = new Backlog(FLUSH_MS, store, onError)
  }

  /** Notes a request of this session; `stored` is what the database holds. */
  note(sessionId: string, userId: string, stored: number, now: number): void {
    if (now - stored >= PRECISION_MS) this.#seen.note(sessionId, userId)
  }

  close(): Promise<void> {
    return this.#seen.close()
  }
}
