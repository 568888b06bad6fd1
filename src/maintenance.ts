import type { Logger } from 'pino'
import { type Db, DatabaseUnreachable } from './db/handle.ts'
import { SteadyClock } from './steady-clock.ts'

const EVERY_MS = 60_000

export type MaintenanceTask = (db: Db, now: number) => Promise<void>

export class Maintenance {
  readonly #timer: NodeJS.Timeout
  readonly #steady: SteadyClock | undefined
  #healthy = true
  #isRunning = false

  /**
   * Starts to run the tasks every `everyMs` milliseconds. With `trustsClock`, runs them even after a clock change.
   */
  constructor(
    db: Db,
    now: () => number,
    log: Logger,
    tasks: readonly MaintenanceTask[],
    { everyMs = EVERY_MS, trustsClock = false } = {},
  ) {
    this.#steady = trustsClock ? undefined : new SteadyClock(now())
    this.#timer = setInterval(() => void this.#round(tasks, db, now(), log), everyMs).unref()
  }

  async #round(tasks: readonly MaintenanceTask[], db: Db, now: number, log: Logger): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      await this.#run(tasks, db, now, log)
    } finally {
      this.#isRunning = false
    }
  }

  /**
   * Runs all tasks. Stops when the database is unreachable. A failed task runs again in the next round. Runs nothing
   * for an hour after a clock change, unless `trustsClock` is true.
   */
  async #run(tasks: readonly MaintenanceTask[], db: Db, now: number, log: Logger): Promise<void> {
    if (this.#steady?.isTrusted(now) === false) {
      return log.warn('clock changed: pausing deletion of expired data for an hour')
    }
    let isHealthy = true
    for (const task of tasks) {
      try {
        await task(db, now)
      } catch (error) {
        // The database handle logs its own outages.
        if (error instanceof DatabaseUnreachable) return
        isHealthy = false
        log.warn({ err: error, task: task.name })
      }
    }
    this.#healthy = isHealthy
  }

  /** False when a task failed in the last complete round. */
  isHealthy(): boolean {
    return this.#healthy
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
