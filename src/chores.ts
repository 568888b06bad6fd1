/** What must be done now and then, whoever asks: forgetting what has expired. */
import type { Logger } from 'pino'
import { deleteExpiredCaptchas } from './captcha/queries.ts'
import type { Db } from './db/handle.ts'
import { deleteExpiredAnswers } from './idempotency/queries.ts'
import { deleteExpiredAttempts } from './limits/queries.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'
import { deleteOldDeliveries } from './webhooks/forget.ts'

const EVERY_MS = 60_000

const CHORES = [
  deleteExpiredSessions,
  deleteExpiredCaptchas,
  deleteExpiredAttempts,
  deleteExpiredAnswers,
  deleteOldDeliveries,
]

type Chore = (db: Db, now: number) => Promise<void>

export class Chores {
  readonly #timer: NodeJS.Timeout
  #healthy = true

  /** `more` are those that depend on how this server is set up. */
  constructor(db: Db, now: () => number, log: Logger, more: readonly Chore[] = []) {
    this.#timer = setInterval(
      () => void this.#run([...CHORES, ...more], db, now(), log),
      EVERY_MS,
    ).unref()
  }

  /** Does all of them; a failure is logged, and tried again next time. */
  async #run(chores: readonly Chore[], db: Db, now: number, log: Logger): Promise<void> {
    this.#healthy = true
    for (const chore of chores) {
      try {
        await chore(db, now)
      } catch (error) {
        this.#healthy = false
        log.warn({ err: error, chore: chore.name })
      }
    }
  }

  /** False when the last round had a failure. */
  isHealthy(): boolean {
    return this.#healthy
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
