import { JOB_SECONDS } from '../config-values.ts'
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'
import { JobFailed } from './rules.ts'

/** Queues of each kind of job. A process runs at most one job at a time for each kind and queue. */
export const QUEUES: Record<JobKind, readonly JobQueue[]> = {
  conversion: ['short', 'long'],
  settling: ['short'],
  thumbnail: ['short', 'long'],
  sizes: ['short'],
  erasure: ['short'],
  export: ['short'],
  sweep: ['short'],
}

/** Maximum expected processor time of a job in the short queue, in milliseconds. */
export const SHORT_EXPECTED_MS = 11_000

/**
 * Limits of one attempt in the short queue, in milliseconds. They bound how long a wrong estimate can delay
 * other owners' jobs.
 */
const SHORT: Partial<Record<JobKind, { cpuMs: number; wallMs: number }>> = {
  conversion: { cpuMs: 20_000, wallMs: 120_000 },
  // The wall-clock limit is low, because a game can block its page without using the processor.
  thumbnail: { cpuMs: 12_000, wallMs: 20_000 },
}

/** Daily limit of processor time for an owner, as a multiple of the limit for one job. */
const DAY_FACTOR = 4

/** Niceness of programs that jobs run. Short jobs have priority over long ones, and the server over both. */
export const NICENESS: Record<JobQueue, number> = { short: 5, long: 10 }

/** Error of a job that exceeds the limits of the short queue. The job continues in the long queue. */
export class NotShort extends Error {
  override name = 'NotShort'
}

export class JobLimits {
  readonly #jobMs: number

  constructor(jobSeconds = JOB_SECONDS) {
    this.#jobMs = jobSeconds * 1000
  }

  /** Milliseconds of processor time that an owner may use per day. Further jobs wait until the next day. */
  get dayMs(): number {
    return this.#jobMs * DAY_FACTOR
  }

  /**
   * Returns JobFailed when the job exceeds the limit of one job, NotShort when it exceeds the limits of the short
   * queue, and otherwise undefined.
   */
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
