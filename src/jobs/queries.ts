import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, slots, statement } from '../db/statement.ts'
import type { JobKind, JobRow } from '../db/media-tables.ts'

const bySubject = statement((q, p: { kind: JobKind; subject: string }) =>
  q.selectFrom('jobs').selectAll().where('kind', '=', p.kind).where('subject', '=', p.subject),
)

export function findJob(db: Handle, kind: JobKind, subject: string): Promise<JobRow | undefined> {
  return db.first(bySubject, { kind, subject })
}

const bySubjects = statement((q, p: { kind: JobKind; subjects: readonly string[] }, on) =>
  q
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', p.kind)
    .where(on.anyOf('subject', p.subjects)),
)

/** The jobs of this kind about these subjects, in no order; subjects without one are left out. */
export async function listJobs(
  db: Handle,
  kind: JobKind,
  subjects: readonly string[],
): Promise<JobRow[]> {
  return subjects.length === 0 ? [] : db.all(bySubjects, { kind, subjects })
}

const locked = statement((q, p: { kind: JobKind; subject: string }, on) =>
  on.locked(
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
      slots(p, [
        'id',
        'kind',
        'subject',
        'status',
        'progress',
        'error',
        'attempts',
        'due_at',
        'lease',
        'created_at',
        'updated_at',
      ]),
    )
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing()),
)

/** False when there is one already; waits for whoever is making one. */
export async function insertJob(tx: Tx, row: JobRow): Promise<boolean> {
  return (await tx.run(insert, { ...row })) > 0
}

const again = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('jobs')
    .set({
      status: 'queued',
      progress: 0,
      error: null,
      attempts: 0,
      due_at: p.now,
      lease: null,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returningAll(),
)

/** From the beginning, as if it were new. */
export function updateQueuedAgain(tx: Tx, id: string, now: number) {
  return tx.first(again, { id, now })
}

/**
 * Longer than any pause or lease, by more than the clocks of processes differ: what is due later than
 * this from now was written by a clock that was wrong, and is due.
 */
const AHEAD_MAX_MS = 90_000

const due = statement((q, p: { kind: JobKind; now: number; latest: number }) =>
  q
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', p.kind)
    .where('due_at', 'is not', null)
    .where((e) => e.or([e('due_at', '<=', p.now), e('due_at', '>', p.latest)]))
    .orderBy('due_at')
    .limit(1),
)

/** True when something waits to be claimed: a read, so that looking costs no write. */
export async function hasDueJob(db: Handle, kind: JobKind, now: number): Promise<boolean> {
  return (await db.first(due, { kind, now, latest: now + AHEAD_MAX_MS })) !== undefined
}

type Claim = { kind: JobKind; now: number; lease: string; until: number }

const claim = statement((q, p: Claim & { latest: number }, { engine }) =>
  q
    .updateTable('jobs')
    .set((e) => ({
      status: 'processing',
      lease: p.lease,
      due_at: p.until,
      attempts: e('attempts', '+', 1),
      updated_at: p.now,
    }))
    .where('id', '=', (e) => {
      const next = e
        .selectFrom('jobs as next')
        .select('next.id')
        .where('next.kind', '=', p.kind)
        .where('next.due_at', 'is not', null)
        .where(({ eb, or }) =>
          or([eb('next.due_at', '<=', p.now), eb('next.due_at', '>', p.latest)]),
        )
        .orderBy('next.due_at')
        .limit(1)
      return engine === 'postgres' ? next.forUpdate().skipLocked() : next
    })
    .returningAll(),
)

/**
 * Takes the job that has been due for longest: one that waits, or one whose lease is over. However
 * many ask at once, each gets another one.
 */
export function claimJob(tx: Tx, request: Claim): Promise<JobRow | undefined> {
  return tx.first(claim, { ...request, latest: request.now + AHEAD_MAX_MS })
}

/** Names a job while its lease is held: whoever has lost it finds no such job any more. */
type Held = Pick<JobRow, 'id'> & { lease: string }

const renew = statement((q, p: Held & { progress: number; until: number; now: number }) =>
  q
    .updateTable('jobs')
    .set({ due_at: p.until, progress: p.progress, updated_at: p.now })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

/** Holds the lease until then, and tells how far the job is. False once the lease is lost. */
export async function renewLease(
  db: Handle,
  held: Held,
  change: { progress: number; until: number; now: number },
): Promise<boolean> {
  return (await db.run(renew, { ...held, ...change })) > 0
}

type Settled = {
  status: 'completed' | 'failed'
  progress: number
  error: string | null
  now: number
}

const settle = statement((q, p: Held & Settled) =>
  q
    .updateTable('jobs')
    .set({
      status: p.status,
      progress: p.progress,
      error: p.error,
      due_at: null,
      lease: null,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

/** Ends the job. False once the lease is lost: then nothing is changed. */
export async function updateSettled(tx: Tx, held: Held, change: Settled): Promise<boolean> {
  return (await tx.run(settle, { ...held, ...change })) > 0
}

type Returned = { dueAt: number; attempts: number; now: number }

const giveBack = statement((q, p: Held & Returned) =>
  q
    .updateTable('jobs')
    .set({
      status: 'queued',
      lease: null,
      due_at: p.dueAt,
      attempts: p.attempts,
      progress: 0,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

/** Back into the queue, due then. False once the lease is lost. */
export async function updateReturned(db: Handle, held: Held, change: Returned): Promise<boolean> {
  return (await db.run(giveBack, { ...held, ...change })) > 0
}
