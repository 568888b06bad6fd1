import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type Db,
  DatabaseFull,
  DatabaseUnavailable,
  DatabaseUnreachable,
  type Handle,
  type Tx,
} from '../db/handle.ts'
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'
import { StorageFull, StorageUnavailable, toStorageError } from '../storage/store.ts'
import { claimJob, findNextJob, insertTurn } from './claim-queries.ts'
import { Lease, LEASE_MS, LeaseLost } from './lease.ts'
import { JobLimits, NICENESS, NotShort, QUEUES } from './limits.ts'
import { currentMeter, Meter } from './meter.ts'
import { deleteJob, lockHeldJob, updateReturned, updateFinished } from './queries.ts'
import { type JobError, JobFailed, JOB_QUEUED } from './rules.ts'

const POLL_MS = 1000
/** Number of attempts after which an error fails the job. */
const ATTEMPTS_MAX = 3
/**
 * Maximum attempts, including those in which the process crashed. It is higher than ATTEMPTS_MAX, because the
 * job itself rarely causes a crash.
 */
const CRASHES_MAX = 10
const RETRY_PAUSES_MS = [5000, 30_000]
/** Milliseconds until a job runs again after one of the errors in OUTAGES. Such an attempt does not count. */
const OUTAGE_PAUSE_MS = 30_000
const OUTAGES = [StorageFull, StorageUnavailable, DatabaseFull, DatabaseUnavailable]
/** Milliseconds that `close` waits for running jobs to stop before it returns them to the queue. */
const CLOSE_MS = 5000

export interface JobControl {
  /** Aborts when the job must stop. `run` must then throw soon. */
  signal: AbortSignal
  progress(share: number): void
}

/** Writes the result of a job, in the transaction that completes the job. */
export type Finish = (tx: Tx) => Promise<void>

export interface Beneficiary {
  id: string
  is_suspended: number
}

interface JobHooks {
  /** Called in the transaction that fails the job. */
  failed?: (tx: Tx, job: JobRow, code: JobError) => Promise<void>
  /**
   * Returns a user who needs the job, if possible one who is not suspended. The job waits while this user is
   * suspended. Returns undefined if no user needs the job, which is then deleted.
   */
  neededBy?: (db: Handle, job: JobRow) => Promise<Beneficiary | undefined>
}

interface Handler extends JobHooks {
  run(job: JobRow, control: JobControl): Promise<Finish | void>
}

type Claimed = JobRow & { lease: string }

interface Change {
  pauseMs?: number
  attempts?: number
  queue?: JobQueue
  ownerId?: string
  cpuMs?: number
}

class Closing extends Error {
  override name = 'Closing'
}

/** Error of a job that no active user needs. */
class NotNeeded extends Error {
  override name = 'NotNeeded'
}

/**
 * Runs at most one job at a time for each kind and queue. Only the holder of a job's lease can store its
 * result, so a job completes only once.
 */
export class Worker {
  readonly #db: Db
  readonly #now: () => number
  readonly #log: Logger
  readonly #limits: JobLimits
  readonly #handlers = new Map<JobKind, Handler>()
  readonly #running = new Map<Lease, JobRow>()
  readonly #unhealthy = new Set<string>()
  readonly #waiting = new Set<() => void>()
  #loops: Promise<void>[] = []
  readonly #onQueued = () => this.wake()
  #calls = 0
  #closing = false

  constructor(db: Db, now: () => number, log: Logger, limits = new JobLimits()) {
    this.#db = db
    this.#now = now
    this.#log = log
    this.#limits = limits
  }

  /**
   * Registers the handler for a kind of job. Call it before `start`. `run` may be called again for a job that
   * was partly or fully done. The function that `run` returns runs in the transaction that completes the job.
   *
   * JobFailed fails the job at once. From the third attempt on, any other error fails the job with the code `internal`.
   * Attempts that end in an outage do not count.
   */
  handle(kind: JobKind, run: Handler['run'], hooks: JobHooks = {}): void {
    this.#handlers.set(kind, { run, ...hooks })
  }

  start(): void {
    this.#db.signals.on(JOB_QUEUED, this.#onQueued)
    this.#loops = [...this.#handlers].flatMap(([kind, handler]) =>
      QUEUES[kind].map((queue) => this.#loop(kind, queue, handler)),
    )
  }

  /** Looks for jobs without waiting for the next poll. */
  wake(): void {
    this.#calls++
    for (const resume of this.#waiting) resume()
  }

  /**
   * False after an unexpected error in the loop of a queue, until that queue has looked for jobs successfully
   * again.
   */
  isHealthy(): boolean {
    return this.#unhealthy.size === 0
  }

  /** Stops running jobs and returns them to the queue, where other workers can claim them immediately. */
  async close(): Promise<void> {
    this.#closing = true
    this.#db.signals.off(JOB_QUEUED, this.#onQueued)
    for (const lease of this.#running.keys()) lease.abandon(new Closing())
    this.wake()
    const late = new AbortController()
    await Promise.race([
      Promise.all(this.#loops),
      sleep(CLOSE_MS, undefined, { signal: late.signal, ref: false }).catch(() => {}),
    ])
    late.abort()
    for (const [lease, job] of this.#running) {
      this.#log.warn({ job: job.id, kind: job.kind }, 'job did not stop in time')
      await this.#giveBack(lease, job).catch((error: unknown) => this.#log.warn({ err: error }))
    }
  }

  async #loop(kind: JobKind, queue: JobQueue, handler: Handler): Promise<void> {
    const name = `${kind} ${queue}`
    while (!this.#closing) {
      const calls = this.#calls
      let mayHaveMore = false
      try {
        const search = { kind, queue, now: this.#now(), dayLimitMs: this.#limits.dayMs }
        const id = await findNextJob(this.#db, search)
        const job = id === undefined ? undefined : await this.#claim(id)
        // If another worker has claimed the found job, other jobs may be due.
        mayHaveMore = job ? await this.#work(handler, job) : id !== undefined
        this.#unhealthy.delete(name)
      } catch (error) {
        // The callback `onReachable` of the database already reports outages.
        if (!(error instanceof DatabaseUnreachable)) {
          this.#unhealthy.add(name)
          this.#log.warn({ err: error, kind, queue }, 'job worker: looking for the next job failed')
        }
      }
      if (!mayHaveMore && calls === this.#calls) await this.#pause()
    }
  }

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

  async #claim(id: string): Promise<Claimed | undefined> {
    const now = this.#now()
    const lease = randomUUID()
    const row = await this.#db.transaction(async (tx) => {
      const job = await claimJob(tx, { id, now, lease, until: now + LEASE_MS })
      if (job) await insertTurn(tx, job)
      return job
    })
    return row && { ...row, lease }
  }

  /** Runs a job. Returns false when the queue should pause, because a service is unavailable. */
  async #work(handler: Handler, job: Claimed): Promise<boolean> {
    const meter = new Meter(NICENESS[job.queue])
    const requireNeeded = async () => {
      const user = handler.neededBy ? await handler.neededBy(this.#db, job) : null
      if (user === undefined || user?.is_suspended === 1) throw new NotNeeded()
    }
    const lease = new Lease(this.#db, this.#now, job, {
      meter,
      overLimit: (used) => this.#limits.overLimit(job, used),
      requireNeeded,
    })
    this.#running.set(lease, job)
    if (this.#closing) lease.abandon(new Closing())
    const start = performance.now()
    const facts = { job: job.id, kind: job.kind, subject: job.subject, attempt: job.attempts }
    try {
      // An error fails a job at ATTEMPTS_MAX. Only crashes and lost leases lead to more attempts.
      if (job.attempts > CRASHES_MAX) {
        await this.#fail(handler, lease, job, 'internal')
        this.#log.error(facts, 'job failed: its process died in each attempt')
        return true
      }
      lease.signal.throwIfAborted()
      await requireNeeded()
      const { signal } = lease
      const progress = (share: number) => lease.progress(share)
      const finish = await currentMeter.run(meter, () => handler.run(job, { signal, progress }))
      await this.#finish(lease, { status: 'completed', progress: 1000, error: null }, finish)
      const took_ms = Math.round(performance.now() - start)
      this.#log.info({ ...facts, took_ms, cpu_ms: lease.cpuMs }, 'job completed')
      return true
    } catch (error) {
      const cause: unknown = lease.signal.aborted ? lease.signal.reason : error
      return await this.#recover(handler, lease, job, cause)
    } finally {
      await lease.end().catch((error: unknown) => this.#log.warn({ err: error }))
      this.#running.delete(lease)
    }
  }

  /** Handles the error of an attempt. Returns false when the queue should pause. */
  async #recover(handler: Handler, lease: Lease, job: JobRow, error: unknown): Promise<boolean> {
    const facts = { job: job.id, kind: job.kind, subject: job.subject, attempt: job.attempts }
    if (error instanceof LeaseLost) {
      this.#log.warn(facts, 'job abandoned: its lease was lost')
    } else if (error instanceof NotNeeded) {
      await this.#drop(handler, lease, job)
      this.#log.info(facts, 'job ended: no active user needs it')
    } else if (error instanceof NotShort) {
      await this.#giveBack(lease, job, { queue: 'long', cpuMs: lease.cpuMs })
      this.#log.info(facts, 'job moved to the long queue')
    } else if (error instanceof JobFailed) {
      await this.#fail(handler, lease, job, error.code)
      this.#log.warn({ ...facts, err: error }, 'job failed')
    } else if (error instanceof Closing) {
      await this.#giveBack(lease, job)
    } else if (isUnavailable(error)) {
      const isReported = error instanceof DatabaseUnreachable
      if (!isReported)
        this.#log.warn({ ...facts, err: error }, 'job waits: a service is unavailable')
      await this.#giveBack(lease, job, { pauseMs: OUTAGE_PAUSE_MS })
      return false
    } else if (job.attempts >= ATTEMPTS_MAX) {
      await this.#fail(handler, lease, job, 'internal')
      this.#log.error({ ...facts, err: error }, 'job failed: attempts exhausted')
    } else {
      this.#log.warn({ ...facts, err: error }, 'job failed: a retry follows')
      const { attempts } = job
      const pauseMs = RETRY_PAUSES_MS[attempts - 1] ?? OUTAGE_PAUSE_MS
      await this.#giveBack(lease, job, { attempts, pauseMs, cpuMs: lease.cpuMs })
    }
    return true
  }

  /** Returns a job to the queue with an owner who needs it, or deletes it if no user needs it. */
  async #drop(handler: Handler, lease: Lease, job: JobRow): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // Locks the job. Otherwise a content item could start to need the job between the check and the deletion.
      if (!(await lockHeldJob(tx, lease.held))) return
      const user = await handler.neededBy?.(tx, job)
      if (user) await updateReturned(tx, lease.held, this.#returned(job, { ownerId: user.id }))
      else await deleteJob(tx, job.id)
    })
  }

  async #fail(handler: Handler, lease: Lease, job: JobRow, code: JobError): Promise<void> {
    await this.#finish(lease, { status: 'failed', progress: job.progress, error: code }, (tx) =>
      Promise.resolve(handler.failed?.(tx, job, code)),
    )
  }

  /**
   * Stores the final state of a job and runs `finish`, in one transaction. Retries while the database is
   * unavailable. Errors: LeaseLost; those of `finish`; DatabaseUnavailable once the job must stop.
   */
  async #finish(
    lease: Lease,
    change: { status: 'completed' | 'failed'; progress: number; error: string | null },
    finish: Finish | void,
  ): Promise<void> {
    for (;;) {
      try {
        await this.#db.transaction(async (tx) => {
          const { held: job, cpuMs } = lease
          const held = await updateFinished(tx, job, { ...change, cpuMs, now: this.#now() })
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

  /** Returns a job to the queue. The attempt does not count unless `change` contains `attempts`. */
  async #giveBack(lease: Lease, job: JobRow, change: Change = {}): Promise<void> {
    await updateReturned(this.#db, lease.held, this.#returned(job, change))
  }

  #returned(job: JobRow, { pauseMs = 0, ...change }: Change) {
    const now = this.#now()
    return {
      dueAt: now + pauseMs,
      attempts: Math.max(0, job.attempts - 1),
      queue: job.queue,
      ownerId: job.owner_id,
      cpuMs: job.cpu_ms,
      now,
      ...change,
    }
  }
}

function isUnavailable(error: unknown): boolean {
  const cause = toStorageError(error)
  return OUTAGES.some((type) => cause instanceof type)
}
