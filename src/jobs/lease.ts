import type { Db } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import { addUsage } from './claim-queries.ts'
import type { Meter } from './meter.ts'
import { type Held, renewLease } from './queries.ts'

export const LEASE_MS = 15_000
/**
 * Milliseconds until a lease is renewed. It is renewed earlier when the progress has changed. Each renewal also
 * checks that the job is still needed.
 */
const RENEW_MS = 2000
const BEAT_MS = 1000

/**
 * Error when the lease of a job is lost: it expired, or the job was ended, deleted or queued again. Another worker may
 * be running the job, so code that catches this error must not write.
 */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

interface Checks {
  meter: Meter
  /** Returns the error that stops a job over a time limit, or undefined within the limits. */
  overLimit(used: { cpuMs: number; wallMs: number }): Error | undefined
  /** Rejects when no active user currently needs the job. */
  requireNeeded(): Promise<void>
}

/**
 * Lease of a worker on a job. Renews itself regularly until `end` is called. When the process dies, the lease
 * expires and another worker takes over.
 */
export class Lease {
  readonly held: Held
  readonly #db: Db
  readonly #now: () => number
  readonly #job: JobRow
  readonly #checks: Checks
  readonly #startedAt = performance.now()
  #chargedMs = 0
  readonly #abort = new AbortController()
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> | undefined
  /** Progress in thousandths. */
  #progress: number
  /** Progress that was last written to the database. */
  #written: number
  #renewedAt = performance.now()

  constructor(db: Db, now: () => number, job: JobRow & { lease: string }, checks: Checks) {
    this.held = { id: job.id, lease: job.lease }
    this.#db = db
    this.#now = now
    this.#job = job
    this.#checks = checks
    this.#progress = job.progress
    this.#written = job.progress
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = undefined))
    }, BEAT_MS).unref()
  }

  /** Signal that aborts when the job must stop. Its reason is an error that says why. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  abandon(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** Sets the completed share, from 0 to 1. Ignores values below the current share. */
  progress(share: number): void {
    const thousandths = Math.floor(Math.min(1, Math.max(0, share)) * 1000)
    if (thousandths > this.#progress) this.#progress = thousandths
  }

  get cpuMs(): number {
    return this.#job.cpu_ms + this.#checks.meter.usedMs
  }

  /**
   * Stops renewing the lease and adds the processor time to the owner's usage. Call it after the job has ended.
   */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#charge()
  }

  async #charge(): Promise<void> {
    const ms = this.#checks.meter.usedMs - this.#chargedMs
    const ownerId = this.#job.owner_id
    if (ms <= 0 || ownerId === '') return
    await addUsage(this.#db, { ownerId, ms, now: this.#now() })
    this.#chargedMs += ms
  }

  async #beat(): Promise<void> {
    if (this.signal.aborted) return
    await this.#checks.meter.sample()
    const wallMs = performance.now() - this.#startedAt
    const over = this.#checks.overLimit({ cpuMs: this.cpuMs, wallMs })
    if (over) return this.abandon(over)
    const since = performance.now() - this.#renewedAt
    if (this.#progress === this.#written && since < RENEW_MS) return
    try {
      await this.#renew()
    } catch {
      // The database is unreachable. When the lease has expired, another worker may have claimed the job.
      if (performance.now() - this.#renewedAt > LEASE_MS) this.abandon(new LeaseLost())
    }
  }

  async #renew(): Promise<void> {
    const now = this.#now()
    const progress = this.#progress
    const started = performance.now()
    const change = { progress, cpuMs: this.cpuMs, until: now + LEASE_MS, now }
    if (!(await renewLease(this.#db, this.held, change))) return this.abandon(new LeaseLost())
    this.#written = progress
    this.#renewedAt = started
    await this.#charge()
    await this.#checks.requireNeeded().catch((reason: Error) => this.abandon(reason))
  }
}
