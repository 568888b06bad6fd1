/** Queues background jobs. Each kind and subject has one row, so the same job never runs twice at once. */
import type { Tx } from '../db/handle.ts'
import { Signal } from '../db/signal.ts'
import { newId } from '../db/ids.ts'
import type { JobKind, JobQueue, JobRow, JobStatus } from '../db/media-tables.ts'
import type { MessageKey } from '../messages/en.ts'
import { isMessageKey, type Language, message } from '../messages/language.ts'
import { findJobLocked, insertJob, updateQueuedAgain } from './queries.ts'

export { findJob, findJobLocked, listJobs } from './queries.ts'

export const jobsQueued = new Signal()

type CodeOf<Key> = Key extends `job.${infer Code}` ? Code : never

/** Reason why a job failed: the part after `job.` in the key of its message. */
export type JobError = CodeOf<MessageKey>

/** Ends a job for good, with a reason its owner can read. Thrown by job handlers. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  readonly code: JobError

  /** `detail` appears only in the log. */
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
 * Queues a job. A finished job restarts from the beginning; a waiting or running one stays as it is. The
 * job is locked until the transaction ends. After the commit a worker of this process starts it at once,
 * and workers of other processes look for it every second.
 */
export function enqueue(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['completed', 'failed'], now)
}

/** Queues a job like `enqueue`, except that a completed one stays completed. */
export function enqueueUnlessCompleted(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['failed'], now)
}

/**
 * Queues a job and restarts it even while it is running. The current run loses its lease, so its result is
 * discarded. Use it when the job must see every change of this transaction.
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
  throw new Error(`could not queue the job ${kind} ${subject}`)
}

/** Returns why a job failed, in words for its owner. Null when it did not fail. */
export function jobErrorText(job: Pick<JobRow, 'error'>, language: Language): string | null {
  if (job.error === null) return null
  const key = `job.${job.error}`
  // During an update, a newer process may store codes that this version does not know.
  return message(language, isMessageKey(key) ? key : 'job.internal')
}
