/**
 * Runs background work, one job of each kind at a time in each process. A job is held by a lease:
 * what its holder writes at the end, it writes in one transaction that needs the lease, so a job
 * has one outcome however many workers there are, and whenever they die.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type Db,
  DatabaseFull,
  DatabaseUnavailable,
  DatabaseUnreachable,
  type Tx,
} from '../db/handle.ts'
import type { JobKind, JobRow } from '../db/media-tables.ts'
import { StorageFull, StorageUnavailable, toStorageError } from '../storage/store.ts'
import { Lease, LEASE_MS, LeaseLost } from './lease.ts'
import { claimJob, hasDueJob, updateReturned, updateSettled } from './queries.ts'
import { type JobError, JobFailed, jobsQueued } from './rules.ts'

const POLL_MS = 1000
/** Attempts after which an error is final. */
const ATTEMPTS_MAX = 3
/** Attempts whose process died: more, since it is seldom the job that ends a process. */
const DEATHS_MAX = 10
/** Before the second and the third attempt. */
const PAUSES_MS = [5000, 30_000]
/** While there is no room, or the database or store is away: no fault of the job. */
const AWAY_PAUSE_MS = 30_000
/** How long jobs get to end when the server does. */
const CLOSE_MS = 5000

export interface JobControl {
  /** Aborted when the lease is lost or the server ends: then `run` stops soon, by throwing. */
  signal: AbortSignal
  /** How much is done, from 0 to 1. */
  progress(share: number): void
}

/** What becomes of the database when a job is completed, in the transaction that completes it. */
export type Finish = (tx: Tx) => Promise<void>

interface Handler {
  run(job: JobRow, control: JobControl): Promise<Finish | void>
  failed?: ((tx: Tx, job: JobRow, code: JobError) => Promise<void>) | undefined
}

class Closing extends Error {
  override name = 'Closing'
}

export class Worker {
  readonly #db: Db
  readonly #now: () => number
  readonly #log: Logger
  readonly #handlers = new Map<JobKind, Handler>()
  readonly #running = new Map<Lease, JobRow>()
  readonly #unhealthy = new Set<JobKind>()
  readonly #waiting = new Set<() => void>()
  #loops: Promise<void>[] = []
  #unsubscribe: () => void = () => {}
  #calls = 0
  #closing = false

  constructor(db: Db, now: () => number, log: Logger) {
    this.#db = db
    this.#now = now
    this.#log = log
  }

  /**
   * Says what runs jobs of a kind; before `start`. `run` may be called again for a job that it has
   * done before, in part or whole. What it returns becomes part of the transaction that completes
   * the job. It throws JobFailed where trying again is of no use; after anything else the job is
   * tried three times in all, and then fails with the code `internal`. `failed` is part of the
   * transaction in which the job fails.
   */
  handle(kind: JobKind, run: Handler['run'], failed?: Handler['failed']): void {
    this.#handlers.set(kind, { run, failed })
  }

  start(): void {
    this.#unsubscribe = jobsQueued.subscribe(() => this.wake())
    this.#loops = [...this.#handlers].map(([kind, handler]) => this.#loop(kind, handler))
  }

  /** Looks for work at once. */
  wake(): void {
    this.#calls++
    for (const resume of this.#waiting) resume()
  }

  /** False while it cannot look for work. */
  isHealthy(): boolean {
    return this.#unhealthy.size === 0
  }

  /** Stops what runs, and gives it back: another worker, or the next start, takes it up at once. */
  async close(): Promise<void> {
    this.#closing = true
    this.#unsubscribe()
    for (const lease of this.#running.keys()) lease.abandon(new Closing())
    this.wake()
    const late = new AbortController()
    await Promise.race([
      Promise.all(this.#loops),
      sleep(CLOSE_MS, undefined, { signal: late.signal, ref: false }).catch(() => {}),
    ])
    late.abort()
    for (const [lease, job] of this.#running) {
      this.#log.warn({ job: job.id, kind: job.kind }, 'a job did not stop in time')
      await this.#giveBack(lease, job).catch((error: unknown) => this.#log.warn({ err: error }))
    }
  }

  async #loop(kind: JobKind, handler: Handler): Promise<void> {
    while (!this.#closing) {
      const calls = this.#calls
      let job: (JobRow & { lease: string }) | undefined
      try {
        job = await this.#claim(kind)
        if (job) await this.#work(handler, job)
        this.#unhealthy.delete(kind)
      } catch (error) {
        // The database handle reports its own outages, and a health check asks it.
        if (!(error instanceof DatabaseUnreachable)) {
          this.#unhealthy.add(kind)
          this.#log.warn({ err: error, kind }, 'background work is held up')
        }
        job = undefined
      }
      if (!job && calls === this.#calls) await this.#pause()
    }
  }

  /** Until it is called, at most a second. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        this.#waiting.delete(resume)
        resolve()
      }
      const timer = setTimeout(resume, POLL_MS).unref()
      this.#waiting.add(resume)
    })
  }

  async #claim(kind: JobKind): Promise<(JobRow & { lease: string }) | undefined> {
    if (!(await hasDueJob(this.#db, kind, this.#now()))) return undefined
    const now = this.#now()
    const lease = randomUUID()
    const row = await this.#db.transaction((tx) =>
      claimJob(tx, { kind, now, lease, until: now + LEASE_MS }),
    )
    return row && { ...row, lease }
  }

  async #work(handler: Handler, job: JobRow & { lease: string }): Promise<void> {
    const lease = new Lease(this.#db, this.#now, job)
    this.#running.set(lease, job)
    if (this.#closing) lease.abandon(new Closing())
    const start = performance.now()
    const facts = { job: job.id, kind: job.kind, subject: job.subject, attempt: job.attempts }
    try {
      // Attempts beyond the last one are those whose process died before it could say so.
      if (job.attempts > DEATHS_MAX) {
        await this.#fail(handler, lease, job, 'internal')
        this.#log.error(facts, 'a job failed: its process died each time')
        return
      }
      lease.signal.throwIfAborted()
      const { signal } = lease
      const progress = (share: number) => lease.progress(share)
      const finish = await handler.run(job, { signal, progress })
      await this.#settle(lease, { status: 'completed', progress: 1000, error: null }, finish)
      const took_ms = Math.round(performance.now() - start)
      this.#log.info({ ...facts, took_ms }, 'a job is completed')
    } catch (error) {
      await this.#mend(handler, lease, job, error)
    } finally {
      await lease.end()
      this.#running.delete(lease)
    }
  }

  /** What follows from an attempt that ended with an error. */
  async #mend(handler: Handler, lease: Lease, job: JobRow, error: unknown): Promise<void> {
    const facts = { job: job.id, kind: job.kind, subject: job.subject, attempt: job.attempts }
    if (lease.isLost || error instanceof LeaseLost) {
      this.#log.warn(facts, 'a job is abandoned: its lease was lost')
    } else if (lease.signal.aborted) {
      await this.#giveBack(lease, job)
    } else if (error instanceof JobFailed) {
      await this.#fail(handler, lease, job, error.code)
      this.#log.warn({ ...facts, err: error }, 'a job failed')
    } else if (isAway(error)) {
      if (!(error instanceof DatabaseUnreachable)) {
        this.#log.warn({ ...facts, err: error }, 'a job waits')
      }
      await this.#giveBack(lease, job, AWAY_PAUSE_MS)
    } else if (job.attempts >= ATTEMPTS_MAX) {
      await this.#fail(handler, lease, job, 'internal')
      this.#log.error({ ...facts, err: error }, 'a job failed')
    } else {
      this.#log.warn({ ...facts, err: error }, 'a job will be tried again')
      const now = this.#now()
      const pause = PAUSES_MS[job.attempts - 1] ?? AWAY_PAUSE_MS
      await updateReturned(this.#db, lease.held, {
        dueAt: now + pause,
        attempts: job.attempts,
        now,
      })
    }
  }

  async #fail(handler: Handler, lease: Lease, job: JobRow, code: JobError): Promise<void> {
    await this.#settle(lease, { status: 'failed', progress: job.progress, error: code }, (tx) =>
      Promise.resolve(handler.failed?.(tx, job, code)),
    )
  }

  /** Ends the job, and what belongs to it; waits out a database that is away, as the lease allows. */
  async #settle(
    lease: Lease,
    change: { status: 'completed' | 'failed'; progress: number; error: string | null },
    finish: Finish | void,
  ): Promise<void> {
    for (;;) {
      try {
        await this.#db.transaction(async (tx) => {
          const held = await updateSettled(tx, lease.held, { ...change, now: this.#now() })
          if (!held) throw new LeaseLost()
          await finish?.(tx)
        })
        return
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || lease.signal.aborted) throw error
        await sleep(POLL_MS)
      }
    }
  }

  /** The attempt does not count. */
  async #giveBack(lease: Lease, job: JobRow, pause = 0): Promise<void> {
    const now = this.#now()
    const attempts = Math.max(0, job.attempts - 1)
    await updateReturned(this.#db, lease.held, { dueAt: now + pause, attempts, now })
  }
}

function isAway(error: unknown): boolean {
  const cause = toStorageError(error)
  return (
    cause instanceof StorageFull ||
    cause instanceof StorageUnavailable ||
    cause instanceof DatabaseFull ||
    cause instanceof DatabaseUnavailable
  )
}
