/** Background work, one row for each kind and subject, so that nothing is done twice at a time. */
import type { Tx } from '../db/handle.ts'
import { Signal } from '../db/signal.ts'
import { newId } from '../db/ids.ts'
import type { JobKind, JobQueue, JobRow, JobStatus } from '../db/media-tables.ts'
import type { MessageKey } from '../messages/en.ts'
import { isMessageKey, type Language, message } from '../messages/language.ts'
import { findJobLocked, insertJob, updateQueuedAgain } from './queries.ts'

export { findJob, findJobLocked, listJobs } from './queries.ts'

/** Raised where a job is queued. */
export const jobsQueued = new Signal()

type CodeOf<Key> = Key extends `job.${infer Code}` ? Code : never

/** Why a job failed: what follows `job.` in the key of its message. */
export type JobError = CodeOf<MessageKey>

/** Ends a job for good, with a reason its owner can read; thrown by what runs it. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  readonly code: JobError

  /** `detail` is for the log alone. */
  constructor(code: JobError, detail?: string) {
    super(detail ? `${code}: ${detail}` : code)
    this.code = code
  }
}

export interface NewJob {
  kind: JobKind
  subject: string
  /** User whose turn the job uses; empty for the server's own jobs. */
  ownerId: string
  queue?: JobQueue
  /** Estimate of the processor time, in milliseconds. */
  expectedMs?: number
}

/**
 * Queues a job; one that is over starts from the beginning, one that waits or runs is left alone.
 * The job stays locked until the transaction ends. After the commit a worker of this process takes it
 * up at once, one of another within a second.
 */
export function enqueue(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['completed', 'failed'], now)
}

/** The same, but what was completed stays so. */
export function enqueueUnlessCompleted(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['failed'], now)
}

/**
 * The same, but it starts from the beginning whatever became of it: whoever runs it has lost it, and what
 * that would write at its end comes to nothing. For work that must see all that this transaction changes.
 */
export function enqueueAnew(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['queued', 'processing', 'completed', 'failed'], now)
}

async function queueJob(tx: Tx, job: NewJob, again: JobStatus[], now: number): Promise<JobRow> {
  const { kind, subject, ownerId, queue = 'short', expectedMs = 0 } = job
  jobsQueued.raise(tx)
  const fresh: JobRow = {
    id: newId('job', now),
    kind,
    subject,
    status: 'queued',
    progress: 0,
    error: null,
    attempts: 0,
    due_at: now,
    lease: null,
    owner_id: ownerId,
    queue,
    expected_ms: expectedMs,
    cpu_ms: 0,
    created_at: now,
    updated_at: now,
  }
  // A worker may delete the job between the two statements.
  for (let tries = 0; tries < 5; tries++) {
    if (await insertJob(tx, fresh)) return fresh
    const row = await findJobLocked(tx, kind, subject)
    if (!row) continue
    if (!again.includes(row.status)) return row
    return (await updateQueuedAgain(tx, { ...fresh, id: row.id }, now)) ?? row
  }
  throw new Error(`no job ${kind} ${subject}`)
}

/** Why a job failed, for its owner; null unless it did. */
export function jobErrorText(job: Pick<JobRow, 'error'>, language: Language): string | null {
  if (job.error === null) return null
  const key = `job.${job.error}`
  // A process of the version before does not know what the next one writes.
  return message(language, isMessageKey(key) ? key : 'job.internal')
}
