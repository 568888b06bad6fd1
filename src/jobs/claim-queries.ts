import { sql } from 'kysely'
import type { JobKind, JobQueue, JobRow } from '../db/media-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { rawQuery, statement } from '../db/statement.ts'

/**
 * Maximum milliseconds between now and a job's `due_at`: the longest pause or lease plus the tolerance for
 * different clocks. A job with a later `due_at` counts as due, because a wrong clock wrote it.
 */
const DUE_MAX_MS = 90_000
const DAY_MS = 86_400_000

/**
 * Returns the UTC day of `now`, as the number of days since 1970-01-01. The daily limits of job owners are per UTC day.
 */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}

type Search = { kind: JobKind; queue: JobQueue; now: number; dayLimitMs: number }
type SearchParams = Search & { latest: number; day: number }

/**
 * Finds the next job. The cost grows with the number of owners of waiting jobs, not with the number of jobs.
 * Uses `order by` and `limit 1`, because `min` could make PostgreSQL read all jobs.
 */
const next = statement((q, p: SearchParams) => {
  const waiting = sql`jobs where jobs.kind = ${p.kind} and jobs.queue = ${p.queue}
    and jobs.due_at is not null`
  return rawQuery<{ id: string }>(
    q,
    sql`with recursive owners (owner_id) as (
      select (select jobs.owner_id from ${waiting} order by jobs.owner_id limit 1)
      union all
      select (
        select jobs.owner_id from ${waiting} and jobs.owner_id > owners.owner_id
        order by jobs.owner_id limit 1
      )
      from owners where owners.owner_id is not null
    )
    select shortest.id from (
      select owners.owner_id, coalesce(job_turns.turn, 0) as turn, (
        select jobs.id from ${waiting} and jobs.owner_id = owners.owner_id
          and (jobs.due_at <= ${p.now} or jobs.due_at > ${p.latest})
        order by jobs.expected_ms, jobs.id limit 1
      ) as id
      from owners
      left join users on users.id = owners.owner_id and users.is_suspended = 1
      left join job_usage on job_usage.owner_id = owners.owner_id
        and job_usage.day = ${p.day} and job_usage.used_ms >= ${p.dayLimitMs}
      left join job_turns on job_turns.kind = ${p.kind} and job_turns.queue = ${p.queue}
        and job_turns.owner_id = owners.owner_id
      where owners.owner_id is not null and users.id is null and job_usage.owner_id is null
    ) as shortest
    where shortest.id is not null
    order by shortest.turn, shortest.owner_id
    limit 1`,
  )
})

/**
 * Returns the id of the next job of a queue, or undefined when no job is due. Chooses the owner whose last job
 * started longest ago, and this owner's shortest due job. Skips owners that are suspended or have used
 * `dayLimitMs` today.
 */
export async function findNextJob(db: Handle, search: Search): Promise<string | undefined> {
  const { now } = search
  const params = { ...search, latest: now + DUE_MAX_MS, day: dayOf(now) }
  return (await db.first(next, params))?.id
}

type Claim = { id: string; now: number; lease: string; until: number }

const claim = statement((q, p: Claim & { latest: number }) =>
  q
    .updateTable('jobs')
    .set((e) => ({
      status: 'processing',
      lease: p.lease,
      due_at: p.until,
      attempts: e('attempts', '+', 1),
      updated_at: p.now,
    }))
    .where('id', '=', p.id)
    .where('due_at', 'is not', null)
    .where((e) => e.or([e('due_at', '<=', p.now), e('due_at', '>', p.latest)]))
    .returningAll(),
)

/** Claims a due job or one whose lease has expired. Returns undefined when another worker has claimed it. */
export function claimJob(tx: Tx, request: Claim): Promise<JobRow | undefined> {
  return tx.first(claim, { ...request, latest: request.now + DUE_MAX_MS })
}

type Turn = { kind: JobKind; queue: JobQueue; owner_id: string }

const takeTurn = statement((q, p: Turn) =>
  rawQuery(
    q,
    sql`insert into job_turns (kind, queue, owner_id, turn)
    select ${p.kind}, ${p.queue}, ${p.owner_id}, coalesce(max(turn), 0) + 1 from job_turns
      where kind = ${p.kind} and queue = ${p.queue}
    on conflict (kind, queue, owner_id) do update set turn = excluded.turn`,
  ),
)

/** Moves the owner to the end of the queue's rotation. */
export async function insertTurn(tx: Tx, { kind, queue, owner_id }: Turn): Promise<void> {
  await tx.run(takeTurn, { kind, queue, owner_id })
}

type Usage = { ownerId: string; day: number; ms: number }

const addUsed = statement((q, p: Usage) =>
  q
    .insertInto('job_usage')
    .values({ owner_id: p.ownerId, day: p.day, used_ms: p.ms })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet({
        // Discards the usage of another day, even of a later one, because the clock may have been set back.
        used_ms: sql<number>`excluded.used_ms
          + case when job_usage.day = excluded.day then job_usage.used_ms else 0 end`,
        day: sql<number>`excluded.day`,
      }),
    ),
)

export async function addUsage(
  db: Handle,
  { ownerId, ms, now }: { ownerId: string; ms: number; now: number },
): Promise<void> {
  await db.run(addUsed, { ownerId, ms, day: dayOf(now) })
}
