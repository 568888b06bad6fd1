import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'

const bySubject = statement((q, p: { kind: JobKind; subject: string }) =>
  q.selectFrom('jobs').selectAll().where('kind', '=', p.kind).where('subject', '=', p.subject),
)

export function findJob(db: Handle, kind: JobKind, subject: string): Promise<JobRow | undefined> {
  return db.first(bySubject, { kind, subject })
}

const bySubjects = statement((q, p: { kind: JobKind; subjects: readonly string[] }, dialect) =>
  q
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', p.kind)
    .where(dialect.anyOf('subject', p.subjects)),
)

/** Returns the existing jobs of a kind for these subjects, in no particular order. */
export async function listJobs(
  db: Handle,
  kind: JobKind,
  subjects: readonly string[],
): Promise<JobRow[]> {
  return subjects.length === 0 ? [] : db.all(bySubjects, { kind, subjects })
}

const locked = statement((q, p: { kind: JobKind; subject: string }, dialect) =>
  dialect.locked(
    q.selectFrom('jobs').selectAll().where('kind', '=', p.kind).where('subject', '=', p.subject),
  ),
)

export function findJobLocked(tx: Tx, kind: JobKind, subject: string) {
  return tx.first(locked, { kind, subject })
}

const insert = statement((q, p: AsParams<JobRow>) =>
  q
    .insertInto('jobs')
    .values(
      pickParams(p, [
        'id',
        'kind',
        'subject',
        'status',
        'progress',
        'error',
        'attempts',
        'due_at',
        'lease',
        'owner_id',
        'queue',
        'expected_ms',
        'cpu_ms',
        'created_at',
        'updated_at',
      ]),
    )
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing()),
)

/** Returns false when the job exists. Waits for a concurrent insert of the same job. */
export async function insertJob(tx: Tx, row: JobRow): Promise<boolean> {
  return (await tx.run(insert, { ...row })) > 0
}

type Again = Pick<JobRow, 'id' | 'owner_id' | 'queue' | 'expected_ms'>

const again = statement((q, p: { [K in keyof Again]: Again[K] } & { now: number }) =>
  q
    .updateTable('jobs')
    .set({
      status: 'queued',
      progress: 0,
      error: null,
      attempts: 0,
      due_at: p.now,
      lease: null,
      cpu_ms: 0,
      owner_id: p.owner_id,
      queue: p.queue,
      expected_ms: p.expected_ms,
      created_at: p.now,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returningAll(),
)

/** Resets a job to the state of a new job and returns it. */
export function updateQueuedAgain(tx: Tx, job: Again, now: number) {
  const { id, owner_id, queue, expected_ms } = job
  return tx.first(again, { id, owner_id, queue, expected_ms, now })
}

/** A job and its worker's lease. Once the lease is lost, statements with it change nothing and return false. */
export type Held = Pick<JobRow, 'id'> & { lease: string }

type Renewal = { progress: number; cpuMs: number; until: number; now: number }

const renew = statement((q, p: Held & Renewal) =>
  q
    .updateTable('jobs')
    .set({ due_at: p.until, progress: p.progress, cpu_ms: p.cpuMs, updated_at: p.now })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

export async function renewLease(db: Handle, held: Held, change: Renewal): Promise<boolean> {
  return (await db.run(renew, { ...held, ...change })) > 0
}

type Settled = {
  status: 'completed' | 'failed'
  progress: number
  error: string | null
  cpuMs: number
  now: number
}

const settle = statement((q, p: Held & Settled) =>
  q
    .updateTable('jobs')
    .set({
      status: p.status,
      progress: p.progress,
      error: p.error,
      cpu_ms: p.cpuMs,
      due_at: null,
      lease: null,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

export async function updateSettled(tx: Tx, held: Held, change: Settled): Promise<boolean> {
  return (await tx.run(settle, { ...held, ...change })) > 0
}

type Returned = {
  dueAt: number
  attempts: number
  queue: JobQueue
  ownerId: string
  cpuMs: number
  now: number
}

const giveBack = statement((q, p: Held & Returned) =>
  q
    .updateTable('jobs')
    .set({
      status: 'queued',
      lease: null,
      due_at: p.dueAt,
      attempts: p.attempts,
      queue: p.queue,
      owner_id: p.ownerId,
      cpu_ms: p.cpuMs,
      progress: 0,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

export async function updateReturned(db: Handle, held: Held, change: Returned): Promise<boolean> {
  return (await db.run(giveBack, { ...held, ...change })) > 0
}

const heldLocked = statement((q, p: Held, dialect) =>
  dialect.locked(
    q.selectFrom('jobs').select('id').where('id', '=', p.id).where('lease', '=', p.lease),
  ),
)

export async function lockHeldJob(tx: Tx, held: Held): Promise<boolean> {
  return (await tx.first(heldLocked, held)) !== undefined
}

const remove = statement((q, p: { id: string }) => q.deleteFrom('jobs').where('id', '=', p.id))

export async function deleteJob(tx: Tx, id: string): Promise<void> {
  await tx.run(remove, { id })
}

const removeOf = statement((q, p: { kind: JobKind; subject: string }) =>
  q.deleteFrom('jobs').where('kind', '=', p.kind).where('subject', '=', p.subject),
)

/** Deletes a job. A worker that runs it stops when it next renews its lease. */
export async function deleteJobOf(tx: Tx, kind: JobKind, subject: string): Promise<void> {
  await tx.run(removeOf, { kind, subject })
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

/** Returns running jobs, then queued jobs, each oldest first. */
export function listUnfinishedJobs(db: Handle, limit: number) {
  return db.all(unfinished, { limit })
}

const byId = statement((q, p: { id: string }) =>
  q.selectFrom('jobs').selectAll().where('id', '=', p.id),
)

export function findJobById(db: Handle, id: string): Promise<JobRow | undefined> {
  return db.first(byId, { id })
}

const end = statement((q, p: { id: string; error: string; now: number }) =>
  q
    .updateTable('jobs')
    .set({ status: 'failed', error: p.error, due_at: null, lease: null, updated_at: p.now })
    .where('id', '=', p.id)
    .where('due_at', 'is not', null),
)

/** Fails a job and revokes the lease of its worker. Returns false when the job has already ended. */
export async function updateEnded(
  tx: Tx,
  change: { id: string; error: string; now: number },
): Promise<boolean> {
  return (await tx.run(end, change)) > 0
}
