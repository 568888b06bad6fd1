/**
 * Runs background jobs, one of each queue at a time in each process. A worker holds a job by a lease. It
 * stores its result in one transaction that requires the lease, so a job ends once, however many workers
 * there are and whenever they die.
 */
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
import { deleteJob, lockHeldJob, updateReturned, updateSettled } from './queries.ts'
import { type JobError, JobFailed, jobsQueued } from './rules.ts'

const POLL_MS = 1000
/** Attempts after which an error is final. */
const ATTEMPTS_MAX = 3
/** Attempts whose process died. More are allowed than for errors, because the job is seldom the cause. */
const DEATHS_MAX = 10
/** Pauses before the second and the third attempt. */
const PAUSES_MS = [5000, 30_000]
/** Pause while disk space, the database or storage is unavailable. The job is not to blame. */
const AWAY_PAUSE_MS = 30_000
/** Time that running jobs get to stop when the server shuts down. */
const CLOSE_MS = 5000

export interface JobControl {
  /** Aborted when the job must stop. `run` then throws soon. */
  signal: AbortSignal
  /** Reports the completed share, from 0 to 1. */
  progress(share: number): void
}

/** Database changes that belong to the completion of a job. Runs in the transaction that completes it. */
export type Finish = (tx: Tx) => Promise<void>

export interface Beneficiary {
  id: string
  is_suspended: number
}

interface JobHooks {
  /** Runs in the transaction that fails the job. */
  failed?: (tx: Tx, job: JobRow, code: JobError) => Promise<void>
  /**
   * Returns a user who needs the job, preferably one who is not suspended. A job that no user needs is
   * deleted. While only suspended users need it, the job waits.
   */
  neededBy?: (db: Handle, job: JobRow) => Promise<Beneficiary | undefined>
}

interface Handler extends JobHooks {
  run(job: JobRow, control: JobControl): Promise<Finish | void>
}

type Claimed = JobRow & { lease: string }

/** Changes to a job that returns to the queue. */
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

/** No active user needs the job at the moment. */
class NotNeeded extends Error {
  override name = 'NotNeeded'
}

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
  #unsubscribe: () => void = () => {}
  #calls = 0
  #closing = false

  constructor(db: Db, now: () => number, log: Logger, limits = new JobLimits()) {
    this.#db = db
    this.#now = now
    this.#log = log
    this.#limits = limits
  }

  /**
   * Registers the handler of a kind. Call it before `start`. `run` may be called again for a job that it
   * has already done in part or in full. The function it returns runs in the transaction that completes the
   * job. `run` throws JobFailed when a retry is useless. After any other error the job gets three attempts
   * in all and then fails with the code `internal`.
   */
  handle(kind: JobKind, run: Handler['run'], hooks: JobHooks = {}): void {
    this.#handlers.set(kind, { run, ...hooks })
  }

  start(): void {
    this.#unsubscribe = jobsQueued.subscribe(() => this.wake())
    this.#loops = [...this.#handlers].flatMap(([kind, handler]) =>
      QUEUES[kind].map((queue) => this.#loop(kind, queue, handler)),
    )
  }

  /** Looks for jobs at once. */
  wake(): void {
    this.#calls++
    for (const resume of this.#waiting) resume()
  }

  /** False after an unexpected error, until each queue has looked for jobs successfully again. */
  isHealthy(): boolean {
    return this.#unhealthy.size === 0
  }

  /** Stops running jobs and returns them to the queue, where another worker finds them at once. */
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
      this.#log.warn({ job: job.id, kind: job.kind }, 'job did not stop in time')
      await this.#giveBack(lease, job).catch((error: unknown) => this.#log.warn({ err: error }))
    }
  }

  async #loop(kind: JobKind, queue: JobQueue, handler: Handler): Promise<void> {
    const name = `${kind} ${queue}`
    while (!this.#closing) {
      const calls = this.#calls
      let goesOn = false
      try {
        const search = { kind, queue, now: this.#now(), dayLimitMs: this.#limits.dayMs }
        const id = await findNextJob(this.#db, search)
        const job = id === undefined ? undefined : await this.#claim(id)
        // Another worker may have been faster, so there may be more jobs.
        goesOn = job ? await this.#work(handler, job) : id !== undefined
        this.#unhealthy.delete(name)
      } catch (error) {
        // The database handle reports its own outages, and the health check covers them.
        if (!(error instanceof DatabaseUnreachable)) {
          this.#unhealthy.add(name)
          this.#log.warn({ err: error, kind, queue }, 'job worker: looking for the next job failed')
        }
      }
      if (!goesOn && calls === this.#calls) await this.#pause()
    }
  }

  /** Waits for `wake`, at most a second. */
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

  /** Runs a job to its end. Returns false when the queue should pause because a service is unavailable. */
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
      // The process died in each earlier attempt, before it could record an error.
      if (job.attempts > DEATHS_MAX) {
        await this.#fail(handler, lease, job, 'internal')
        this.#log.error(facts, 'job failed: its process died in each attempt')
        return true
      }
      lease.signal.throwIfAborted()
      await requireNeeded()
      const { signal } = lease
      const progress = (share: number) => lease.progress(share)
      const finish = await currentMeter.run(meter, () => handler.run(job, { signal, progress }))
      await this.#settle(lease, { status: 'completed', progress: 1000, error: null }, finish)
      const took_ms = Math.round(performance.now() - start)
      this.#log.info({ ...facts, took_ms, cpu_ms: lease.cpuMs }, 'job completed')
      return true
    } catch (error) {
      return await this.#recover(
        handler,
        lease,
        job,
        lease.signal.aborted ? lease.signal.reason : error,
      )
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
      await this.#giveBack(lease, job, { pauseMs: AWAY_PAUSE_MS })
      return false
    } else if (job.attempts >= ATTEMPTS_MAX) {
      await this.#fail(handler, lease, job, 'internal')
      this.#log.error({ ...facts, err: error }, 'job failed: attempts exhausted')
    } else {
      this.#log.warn({ ...facts, err: error }, 'job failed: a retry follows')
      const { attempts } = job
      const pauseMs = PAUSES_MS[attempts - 1] ?? AWAY_PAUSE_MS
      await this.#giveBack(lease, job, { attempts, pauseMs, cpuMs: lease.cpuMs })
    }
    return true
  }

  /** Deletes a job that no user needs. While only suspended users need it, one of them owns it. */
  async #drop(handler: Handler, lease: Lease, job: JobRow): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // Lock first. Content that starts to need the job then either finds it deleted or is found here.
      if (!(await lockHeldJob(tx, lease.held))) return
      const user = await handler.neededBy?.(tx, job)
      if (user) await updateReturned(tx, lease.held, this.#returned(job, { ownerId: user.id }))
      else await deleteJob(tx, job.id)
    })
  }

  async #fail(handler: Handler, lease: Lease, job: JobRow, code: JobError): Promise<void> {
    await this.#settle(lease, { status: 'failed', progress: job.progress, error: code }, (tx) =>
      Promise.resolve(handler.failed?.(tx, job, code)),
    )
  }

  /**
   * Ends the job and runs `finish` in one transaction. Retries while the database is unavailable, until the
   * lease is lost.
   */
  async #settle(
    lease: Lease,
    change: { status: 'completed' | 'failed'; progress: number; error: string | null },
    finish: Finish | void,
  ): Promise<void> {
    for (;;) {
      try {
        await this.#db.transaction(async (tx) => {
          const { held: job, cpuMs } = lease
          const held = await updateSettled(tx, job, { ...change, cpuMs, now: this.#now() })
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

  /** Returns the job to the queue. The attempt does not count unless `change` sets `attempts`. */
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
  return (
    cause instanceof StorageFull ||
    cause instanceof StorageUnavailable ||
    cause instanceof DatabaseFull ||
    cause instanceof DatabaseUnavailable
  )
}
