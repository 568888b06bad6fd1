/** Limits of processor time for jobs and their owners. */
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'
import { JobFailed } from './rules.ts'

/** Queues of each kind. Every process runs one job of each queue at a time. */
export const QUEUES: Record<JobKind, readonly JobQueue[]> = {
  conversion: ['short', 'long'],
  settling: ['short'],
  thumbnail: ['short', 'long'],
}

/** The longest estimate with which a job is queued as short. */
export const SHORT_EXPECTED_MS = 6000

/**
 * Limits of an attempt in the short queue, in milliseconds. They bound how long one owner's job delays
 * another owner's, even if its estimate was wrong.
 */
const SHORT: Partial<Record<JobKind, { cpuMs: number; wallMs: number }>> = {
  conversion: { cpuMs: 12_000, wallMs: 120_000 },
  // A game can block its page without using the processor.
  thumbnail: { cpuMs: 12_000, wallMs: 20_000 },
}

/** Daily limit of an owner, as a multiple of the limit of one job. */
const DAY_FACTOR = 4
/** Default limit of one job, in seconds of processor time. */
export const JOB_SECONDS = 10_800

/** Niceness of programs: short jobs go before long ones, and the server before both. */
export const NICENESS: Record<JobQueue, number> = { short: 5, long: 10 }

/** The job is longer than estimated and continues in the long queue. */
export class NotShort extends Error {
  override name = 'NotShort'
}

export class JobLimits {
  readonly #jobMs: number

  /** `jobSeconds` is the limit of one job, in processor time. */
  constructor(jobSeconds = JOB_SECONDS) {
    this.#jobMs = jobSeconds * 1000
  }

  /** Daily limit of an owner in milliseconds; beyond it jobs wait for the next day. */
  get dayMs(): number {
    return this.#jobMs * DAY_FACTOR
  }

  /** Returns why a job must stop: NotShort, or JobFailed when it used its whole limit. */
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
