/** What must be done now and then, whoever asks: forgetting what has expired. */
import type { Logger } from 'pino'
import { deleteExpiredCaptchas } from './captcha/queries.ts'
import type { Db } from './db/handle.ts'
import { deleteExpiredAnswers } from './idempotency/queries.ts'
import { deleteExpiredAttempts } from './limits/queries.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'

const EVERY_MS = 60_000

const CHORES = [
  deleteExpiredSessions,
  deleteExpiredCaptchas,
  deleteExpiredAttempts,
  deleteExpiredAnswers,
]

export class Chores {
  readonly #timer: NodeJS.Timeout
  #healthy = true

  constructor(db: Db, now: () => number, log: Logger) {
    this.#timer = setInterval(() => void this.#run(db, now(), log), EVERY_MS).unref()
  }

  /** Does all of them; a failure is logged, and tried again next time. */
  async #run(db: Db, now: number, log: Logger): Promise<void> {
    this.#healthy = true
    for (const chore of CHORES) {
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
