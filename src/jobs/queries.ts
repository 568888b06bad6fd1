import type { Handle, Tx } from '../db/handle.ts'
import { notNull } from '../db/conditions.ts'
import {
  deleteRows,
  findRow,
  findRowLocked,
  listRows,
  updateRows,
  changeRow,
  insertNew,
} from '../db/rows.ts'
import { statement } from '../db/statement.ts'
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'

export function findJob(db: Handle, kind: JobKind, subject: string): Promise<JobRow | undefined> {
  return findRow(db, 'jobs', { kind, subject })
}

/** Returns the existing jobs of a kind for these subjects, in no particular order. */
export async function listJobs(
  db: Handle,
  kind: JobKind,
  subjects: readonly string[],
): Promise<JobRow[]> {
  return subjects.length === 0 ? [] : listRows(db, 'jobs', { kind, subject: subjects })
}

export function findJobLocked(tx: Tx, kind: JobKind, subject: string) {
  return findRowLocked(tx, 'jobs', { kind, subject })
}

/** Inserts a job. Returns false when it already exists. Waits for a concurrent insert of the same job. */
export async function insertJob(tx: Tx, row: JobRow): Promise<boolean> {
  return insertNew(tx, 'jobs', row)
}

type Again = Pick<JobRow, 'id' | 'owner_id' | 'queue' | 'expected_ms'>

/** Resets a job to the state of a new job and returns it. */
export function updateQueuedAgain(tx: Tx, job: Again, now: number) {
  const { id, owner_id, queue, expected_ms } = job
  return changeRow(
    tx,
    'jobs',
    { id },
    {
      status: 'queued',
      progress: 0,
      error: null,
      attempts: 0,
      due_at: now,
      lease: null,
      cpu_ms: 0,
      owner_id,
      queue,
      expected_ms,
      created_at: now,
      updated_at: now,
    },
  )
}

/**
 * A job and its worker's lease. Once the lease is lost, the statements that take this value change nothing
 * and return false.
 */
export type Held = Pick<JobRow, 'id'> & { lease: string }

const heldBy = ({ id, lease }: Held) => ({ id, lease })

type Renewal = { progress: number; cpuMs: number; until: number; now: number }

export async function renewLease(db: Handle, held: Held, change: Renewal): Promise<boolean> {
  const { until: due_at, progress, cpuMs: cpu_ms, now: updated_at } = change
  return (await updateRows(db, 'jobs', heldBy(held), { due_at, progress, cpu_ms, updated_at })) > 0
}

type FinishedState = {
  status: 'completed' | 'failed'
  progress: number
  error: string | null
  cpuMs: number
  now: number
}

export async function updateFinished(tx: Tx, held: Held, change: FinishedState): Promise<boolean> {
  const { status, progress, error, cpuMs: cpu_ms, now: updated_at } = change
  const ended = { due_at: null, lease: null, updated_at }
  return (
    (await updateRows(tx, 'jobs', heldBy(held), { status, progress, error, cpu_ms, ...ended })) > 0
  )
}

type Returned = {
  dueAt: number
  attempts: number
  queue: JobQueue
  ownerId: string
  cpuMs: number
  now: number
}

export async function updateReturned(db: Handle, held: Held, change: Returned): Promise<boolean> {
  const { dueAt: due_at, attempts, queue, ownerId: owner_id, cpuMs: cpu_ms } = change
  const queued = { status: 'queued', lease: null, progress: 0, updated_at: change.now } as const
  const changes = { ...queued, due_at, attempts, queue, owner_id, cpu_ms }
  return (await updateRows(db, 'jobs', heldBy(held), changes)) > 0
}

export async function lockHeldJob(tx: Tx, held: Held): Promise<boolean> {
  return (await findRowLocked(tx, 'jobs', heldBy(held))) !== undefined
}

export async function deleteJob(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'jobs', { id })
}

/** Deletes a job. A worker that runs the job stops at the next renewal of its lease. */
export async function deleteJobOf(tx: Tx, kind: JobKind, subject: string): Promise<void> {
  await deleteRows(tx, 'jobs', { kind, subject })
}

const unfinished = statement((q, p: { limit: number }) =>
  q
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.owner_id')
    .select(['jobs.id', 'jobs.kind', 'jobs.subject', 'jobs.status', 'jobs.queue'])
    .select(['jobs.progress', 'jobs.cpu_ms', 'jobs.created_at', 'users.handle'])
    .where('jobs.due_at', 'is not', null)
    .orderBy((e) => e.case().when('jobs.status', '=', 'processing').then(0).else(1).end())
    .orderBy('jobs.created_at')
    .orderBy('jobs.id')
    .limit(p.limit),
)

/** Returns up to `limit` unfinished jobs: running jobs, then queued jobs, both oldest first. */
export function listUnfinishedJobs(db: Handle, limit: number) {
  return db.all(unfinished, { limit })
}

export function findJobById(db: Handle, id: string): Promise<JobRow | undefined> {
  return findRow(db, 'jobs', { id })
}

/** Marks a job as failed and revokes its worker's lease. Returns false when the job has already ended. */
export async function updateEnded(
  tx: Tx,
  { id, error, now }: { id: string; error: string; now: number },
): Promise<boolean> {
  const failed = { status: 'failed', error, due_at: null, lease: null, updated_at: now } as const
  return (await updateRows(tx, 'jobs', { id, due_at: notNull }, failed)) > 0
}

/** Deletes a user's rows of `job_turns` and `job_usage`. Returns the number of deleted rows. */
export async function deleteUsage(tx: Tx, owner_id: string): Promise<number> {
  const turns = await deleteRows(tx, 'job_turns', { owner_id })
  return turns + (await deleteRows(tx, 'job_usage', { owner_id }))
}
