import type { Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { JobKind, JobQueue, JobRow, JobStatus } from '../db/media-tables.ts'
import type { MessageKey } from '../messages/en.ts'
import { isMessageKey, type Language, message } from '../messages/language.ts'
import { findJobLocked, insertJob, updateQueuedAgain } from './queries.ts'

export { deleteJobOf, findJob, findJobLocked, listJobs } from './queries.ts'

/** Event that `db.signals` emits after a commit that queued a job. */
export const JOB_QUEUED = 'job queued'

type CodeOf<Key> = Key extends `job.${infer Code}` ? Code : never

export type JobError = CodeOf<MessageKey>

/** An error that makes a job fail permanently. The job's owner can read the reason. */
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
  /** Id of the user whose share of the queue the job uses. Empty for jobs of the server. */
  ownerId: string
  queue?: JobQueue
  expectedMs?: number
}

/**
 * Queues a job and locks it until the transaction ends. Restarts a finished job; leaves a waiting or running
 * job unchanged. After the commit, this process looks for the job at once. Other processes poll once a second.
 */
export function enqueue(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['completed', 'failed'], now)
}

/** Queues a job like `enqueue`, but leaves a completed job unchanged. */
export function enqueueUnlessCompleted(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['failed'], now)
}

/**
 * Queues a job like `enqueue`, but also restarts a waiting or running job. Use it when the job must see the
 * changes of this transaction.
 */
export function enqueueAnew(tx: Tx, job: NewJob, now: number): Promise<JobRow> {
  return queueJob(tx, job, ['queued', 'processing', 'completed', 'failed'], now)
}

async function queueJob(tx: Tx, job: NewJob, again: JobStatus[], now: number): Promise<JobRow> {
  const { kind, subject, ownerId, queue = 'short', expectedMs = 0 } = job
  tx.afterCommit(() => tx.signals.emit(JOB_QUEUED))
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
  // Retries, because a worker may delete the job between the insert and the lock.
  for (let tries = 0; tries < 5; tries++) {
    if (await insertJob(tx, fresh)) return fresh
    const row = await findJobLocked(tx, kind, subject)
    if (!row) continue
    if (!again.includes(row.status)) return row
    return (await updateQueuedAgain(tx, { ...fresh, id: row.id }, now)) ?? row
  }
  throw new Error(`could not queue the job ${kind} ${subject}`)
}

/** Returns the reason of a failure, as a text for the job's owner. Returns null unless the job failed. */
export function jobErrorText(job: Pick<JobRow, 'error'>, language: Language): string | null {
  if (job.error === null) return null
  const key = `job.${job.error}`
  // During an update, a newer process may store codes that this version does not know.
  return message(language, isMessageKey(key) ? key : 'job.internal')
}
