/** Runs periodic maintenance, such as deleting expired rows. */
import type { Logger } from 'pino'
import { deleteExpiredCaptchas } from './captcha/queries.ts'
import { type Db, DatabaseUnreachable } from './db/handle.ts'
import { deleteExpiredAnswers } from './idempotency/queries.ts'
import { deleteExpiredAttempts } from './limits/queries.ts'
import { deleteOldNetworks } from './sessions/network-queries.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'
import { SteadyClock } from './steady-clock.ts'
import { deleteOldDeliveries } from './webhooks/forget.ts'

const EVERY_MS = 60_000

type Chore = (db: Db, now: number) => Promise<void>

/** Deletes expired rows. One process may do this for all processes. */
export const FORGETTING: readonly Chore[] = [
  deleteExpiredSessions,
  deleteOldNetworks,
  deleteExpiredCaptchas,
  deleteExpiredAttempts,
  deleteExpiredAnswers,
  deleteOldDeliveries,
]

export class Chores {
  readonly #timer: NodeJS.Timeout
  readonly #steady: SteadyClock
  #healthy = true
  #isRunning = false

  constructor(db: Db, now: () => number, log: Logger, chores: readonly Chore[]) {
    this.#steady = new SteadyClock(now())
    this.#timer = setInterval(() => void this.#round(chores, db, now(), log), EVERY_MS).unref()
  }

  /** Skips this round while the previous one is still running. */
  async #round(chores: readonly Chore[], db: Db, now: number, log: Logger): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      await this.#run(chores, db, now, log)
    } finally {
      this.#isRunning = false
    }
  }

  /** Runs every chore. Failures are logged and retried in the next round. */
  async #run(chores: readonly Chore[], db: Db, now: number, log: Logger): Promise<void> {
    if (!this.#steady.isTrusted(now)) {
      return log.warn('clock changed: pausing deletion of expired data for an hour')
    }
    let isHealthy = true
    for (const chore of chores) {
      try {
        await chore(db, now)
      } catch (error) {
        // The database handle reports its own outages.
        if (error instanceof DatabaseUnreachable) return
        isHealthy = false
        log.warn({ err: error, chore: chore.name })
      }
    }
    this.#healthy = isHealthy
  }

  /** False when the last round had a failure. */
  isHealthy(): boolean {
    return this.#healthy
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
