/** How much a job and its owner may use. */
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'
import { JobFailed } from './rules.ts'

/** Queues of each kind, each with a place of its own in every process. */
export const QUEUES: Record<JobKind, readonly JobQueue[]> = {
  conversion: ['short', 'long'],
  settling: ['short'],
  thumbnail: ['short', 'long'],
}

/** The longest estimate with which a job is queued as short. */
export const SHORT_EXPECTED_MS = 6000

/**
 * Limits of an attempt in the short queue, in milliseconds. They bound how long one owner's job holds
 * up another owner's, so an estimate need not be trusted.
 */
const SHORT: Partial<Record<JobKind, { cpuMs: number; wallMs: number }>> = {
  conversion: { cpuMs: 12_000, wallMs: 120_000 },
  // A game that blocks its page without computing costs time alone.
  thumbnail: { cpuMs: 12_000, wallMs: 20_000 },
}

/** Processor time of one owner in a day, as a multiple of that of one job. */
const DAY_FACTOR = 4
/** The limit of one job unless a setting says otherwise, in seconds of processor time. */
export const JOB_SECONDS = 10_800

/** Niceness of programs: short jobs go before long ones, and the server before both. */
export const NICENESS: Record<JobQueue, number> = { short: 5, long: 10 }

/** The job is longer than was expected, and goes on in the long queue. */
export class NotShort extends Error {
  override name = 'NotShort'
}

export class JobLimits {
  readonly #jobMs: number

  /** `jobSeconds` of processor time is the most that one job may use. */
  constructor(jobSeconds = JOB_SECONDS) {
    this.#jobMs = jobSeconds * 1000
  }

  /** Beyond this an owner's jobs wait for the next day. */
  get dayMs(): number {
    return this.#jobMs * DAY_FACTOR
  }

  /** Why a job must stop: NotShort, or JobFailed once it used all that one job may. */
  overLimit(
    { kind, queue }: Pick<JobRow, 'kind' | 'queue'>,
    { cpuMs, wallMs }: { cpuMs: number; wallMs: number },
  ): Error | undefined {
    if (cpuMs > this.#jobMs) return new JobFailed('too_heavy', `${Math.round(cpuMs)} ms used`)
    const short = queue === 'short' ? SHORT[kind] : undefined
    if (short && (cpuMs > short.cpuMs || wallMs > short.wallMs)) return new NotShort()
    return undefined
  }
}
