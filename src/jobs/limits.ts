/** Limits of processor time for jobs and their owners. */
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'
import { JobFailed } from './rules.ts'

/** Queues of each kind. Each process runs at most one job of each queue at a time. */
export const QUEUES: Record<JobKind, readonly JobQueue[]> = {
  conversion: ['short', 'long'],
  settling: ['short'],
  thumbnail: ['short', 'long'],
}

/** Longest estimate for which a job goes to the short queue. */
export const SHORT_EXPECTED_MS = 6000

/**
 * Limits of one attempt in the short queue. They bound how long one owner's job can delay another owner's,
 * even when the estimate was wrong.
 */
const SHORT: Partial<Record<JobKind, { cpuMs: number; wallMs: number }>> = {
  conversion: { cpuMs: 12_000, wallMs: 120_000 },
  // A game can block its page without using the processor, hence the wall-clock limit.
  thumbnail: { cpuMs: 12_000, wallMs: 20_000 },
}

/** Daily limit of an owner, as a multiple of the limit of one job. */
const DAY_FACTOR = 4
/** Default limit of one job, in seconds of processor time. */
export const JOB_SECONDS = 10_800

/** Niceness of programs. Short jobs get more processor time than long ones, and the server more than both. */
export const NICENESS: Record<JobQueue, number> = { short: 5, long: 10 }

/** Thrown when a job exceeds the limits of the short queue. It continues in the long queue. */
export class NotShort extends Error {
  override name = 'NotShort'
}

export class JobLimits {
  readonly #jobMs: number

  /** `jobSeconds` is the processor time one job may use. */
  constructor(jobSeconds = JOB_SECONDS) {
    this.#jobMs = jobSeconds * 1000
  }

  /** Milliseconds of processor time an owner may use each day. Further jobs wait for the next day. */
  get dayMs(): number {
    return this.#jobMs * DAY_FACTOR
  }

  /** Returns the error to stop a job with: NotShort, or JobFailed when it exceeded the limit of one job. */
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
