import { WriteBuffer } from '../write-buffer.ts'
import type { Db } from '../db/handle.ts'
import { type Seen, updateUsersSeen } from '../users/accounts.ts'
import { updateSessionsSeen } from './queries.ts'

const PRECISION_MS = 60_000
const FLUSH_MS = 5000

interface Visit {
  userId: string
  time: number
}

export class LastSeen {
  readonly #seen: WriteBuffer<Visit>

  constructor(db: Db, onError: (error: unknown) => void) {
    const store = (visits: Map<string, Visit>) =>
      db.transaction(async (tx) => {
        // Updates users before sessions, as a suspension does. The same order avoids deadlocks.
        await updateUsersSeen(tx, usersOf(visits))
        await updateSessionsSeen(
          tx,
          [...visits].map(([id, { time }]) => ({ id, time })),
        )
      })
    this.#seen = new WriteBuffer(FLUSH_MS, store, onError)
  }

  /**
   * Records the time of a request of a session, unless the time in the database (`stored`) is less than a
   * minute old.
   */
  note(sessionId: string, userId: string, stored: number, now: number): void {
    if (now - stored >= PRECISION_MS) this.#seen.add(sessionId, { userId, time: now })
  }

  close(): Promise<void> {
    return this.#seen.close()
  }
}

function usersOf(visits: ReadonlyMap<string, Visit>): Seen[] {
  const users = new Map<string, number>()
  for (const { userId, time } of visits.values()) {
    users.set(userId, Math.max(time, users.get(userId) ?? 0))
  }
  return [...users].sort().map(([id, time]) => ({ id, time }))
}
