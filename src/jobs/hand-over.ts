import { sql } from 'kysely'
import type { Db } from '../db/handle.ts'
import { notNull } from '../db/conditions.ts'
import { updateRows } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { dayOf } from './claim-queries.ts'

const BATCH = 200

type Limits = { day: number; dayLimitMs: number }

const held = statement((q, p: Limits & { limit: number }) => {
  const spent = sql`select job_usage.owner_id from job_usage
    where job_usage.day = ${p.day} and job_usage.used_ms >= ${p.dayLimitMs}`
  return rawQuery<{ id: string; owner_id: string }>(
    q,
    sql`select waiting.id, waiting.heir_id as owner_id from (
      select jobs.id, (
        select contents.creator_id from content_media
        join contents on contents.id = content_media.content_id
        join users on users.id = contents.creator_id
        where content_media.file_sha256 = jobs.subject and contents.status <> 'archived'
          and users.is_suspended = 0 and contents.creator_id not in (${spent})
        limit 1
      ) as heir_id
      from jobs
      where jobs.kind = 'conversion' and jobs.due_at is not null and jobs.lease is null
        and jobs.owner_id in (select users.id from users where users.is_suspended = 1
          union all ${spent})
    ) as waiting
    where waiting.heir_id is not null
    limit ${p.limit}`,
  )
})

/**
 * Assigns waiting conversions (at most BATCH) to other authors when their owner is suspended or over the daily
 * limit. Content of several authors can need the same conversion.
 */
export async function handOver(db: Db, dayLimitMs: number, now: number): Promise<void> {
  for (const job of await db.all(held, { day: dayOf(now), dayLimitMs, limit: BATCH })) {
    await updateRows(
      db,
      'jobs',
      { id: job.id, lease: null, due_at: notNull },
      { owner_id: job.owner_id },
    )
  }
}
