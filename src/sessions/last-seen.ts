/** When people were last here: stored every few seconds, at most once a minute for each session. */
import { Backlog } from '../backlog.ts'
import type { Db } from '../db/handle.ts'
import { type Seen, updateUsersSeen } from '../users/accounts.ts'
import { updateSessionsSeen } from './queries.ts'

const PRECISION_MS = 60_000
const FLUSH_MS = 5000

interface Visit {
  userId: string
  at: number
}

export class LastSeen {
  /** By session. */
  readonly #seen: Backlog<Visit>

  constructor(db: Db, onError: (error: unknown) => void) {
    const store = (visits: Map<string, Visit>) =>
      db.transaction(async (tx) => {
        // People before sessions, as a suspension does, so that the two cannot wait for each other.
        await updateUsersSeen(tx, peopleOf(visits))
        await updateSessionsSeen(
          tx,
          [...visits].map(([id, { at }]) => ({ id, at })),
        )
      })
    this.#seen = new Backlog(FLUSH_MS, store, onError)
  }

  /** Notes a request of this session; `stored` is what the database holds. */
  note(sessionId: string, userId: string, stored: number, now: number): void {
    if (now - stored >= PRECISION_MS) this.#seen.note(sessionId, { userId, at: now })
  }

  close(): Promise<void> {
    return this.#seen.close()
  }
}

/** Each person once, by the latest of the sessions. */
function peopleOf(visits: ReadonlyMap<string, Visit>): Seen[] {
  const people = new Map<string, number>()
  for (const { userId, at } of visits.values()) {
    people.set(userId, Math.max(at, people.get(userId) ?? 0))
  }
  return [...people].sort().map(([id, at]) => ({ id, at }))
}
