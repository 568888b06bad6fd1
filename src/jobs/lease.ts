/**
 * The hold a worker has on a job: renewed while the job runs, so that a job whose process died is
 * taken up by another within seconds.
 */
import type { Db } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import { renewLease } from './queries.ts'

export const LEASE_MS = 15_000
const RENEW_MS = 5000
/** Progress is written at most this often. */
const BEAT_MS = 1000

/** Why a job is abandoned: another may hold it now. Whoever sees this writes nothing more. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

export class Lease {
  readonly held: { id: string; lease: string }
  readonly #db: Db
  readonly #now: () => number
  readonly #abort = new AbortController()
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> | undefined
  /** Thousandths: as it is, and as it was written. */
  #progress: number
  #written: number
  /** Of the monotonic clock, which nobody sets. */
  #renewedAt = performance.now()

  constructor(db: Db, now: () => number, job: JobRow & { lease: string }) {
    this.held = { id: job.id, lease: job.lease }
    this.#db = db
    this.#now = now
    this.#progress = job.progress
    this.#written = job.progress
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = undefined))
    }, BEAT_MS).unref()
  }

  /** Aborted once the lease is lost, or by `abandon`. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isLost(): boolean {
    return this.signal.reason instanceof LeaseLost
  }

  abandon(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** How much is done, from 0 to 1; never goes back. */
  progress(share: number): void {
    const thousandths = Math.floor(Math.min(1, Math.max(0, share)) * 1000)
    if (thousandths > this.#progress) this.#progress = thousandths
  }

  /** Stops renewing; whoever settles the job calls it afterwards. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
  }

  async #beat(): Promise<void> {
    const since = performance.now() - this.#renewedAt
    if (this.signal.aborted || (this.#progress === this.#written && since < RENEW_MS)) return
    const now = this.#now()
    const progress = this.#progress
    const started = performance.now()
    try {
      if (await renewLease(this.#db, this.held, { progress, until: now + LEASE_MS, now })) {
        this.#written = progress
        this.#renewedAt = started
      } else {
        this.abandon(new LeaseLost())
      }
    } catch {
      // The database is away. Beyond the lease another worker may have the job.
      if (performance.now() - this.#renewedAt > LEASE_MS) this.abandon(new LeaseLost())
    }
  }
}
