import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement } from '../db/statement.ts'

type Counts<K extends string> = Record<K, number>

const whole = (expression: string) => `cast(coalesce(${expression}, 0) as bigint)`
const countIf = (condition: string) => whole(`sum(case when ${condition} then 1 else 0 end)`)

const users = statement((q, p: { since: number }) =>
  rawQuery(
    q,
    sql<Counts<'total' | 'suspended' | 'new_7d' | 'active_7d'>>`select
      count(*) as total,
      ${sql.raw(countIf('is_suspended = 1'))} as suspended,
      cast(coalesce(sum(case when created_at >= ${p.since} then 1 else 0 end), 0) as bigint) as new_7d,
      cast(coalesce(sum(case when last_seen_at >= ${p.since} then 1 else 0 end), 0) as bigint) as active_7d
      from users where erased_at is null`,
  ),
)

const contents = statement((q) =>
  q
    .selectFrom('contents')
    .select((e) => [
      'status',
      e.fn.countAll<number>().as('count'),
      e.fn.count<number>('moderation').as('hidden'),
    ])
    .groupBy('status'),
)

const texts = statement((q) =>
  rawQuery(
    q,
    sql<Counts<'comment_count' | 'post_count'>>`select
      (select ${sql.raw(whole('sum(comment_count)'))} from content_stats) as comment_count,
      (select count(*) from posts where is_deleted = 0) as post_count`,
  ),
)

const storage = statement((q) =>
  rawQuery(
    q,
    sql<Counts<'original_bytes' | 'all_bytes' | 'bundle_bytes'>>`select
      ${sql.raw(whole('sum(size_bytes)'))} as original_bytes,
      ${sql.raw(whole('sum(stored_bytes + rendition_bytes)'))} as all_bytes,
      (select ${sql.raw(whole('sum(size_bytes)'))} from bundle_files) as bundle_bytes
      from files`,
  ),
)

const failed = (column: string, since: unknown) =>
  sql<number>`cast(coalesce(sum(case when status = 'failed' and ${sql.ref(column)} >= ${since} then 1 else 0 end), 0) as bigint)`

const jobs = statement((q, p: { since: number }) =>
  rawQuery(
    q,
    sql<Counts<'queued' | 'processing' | 'failed_24h'>>`select
      ${sql.raw(countIf(`status = 'queued'`))} as queued,
      ${sql.raw(countIf(`status = 'processing'`))} as processing,
      ${failed('updated_at', p.since)} as failed_24h
      from jobs`,
  ),
)

const mails = statement((q, p: { since: number }) =>
  rawQuery(
    q,
    sql<Counts<'pending' | 'failed_24h'>>`select
      ${sql.raw(countIf(`status = 'pending'`))} as pending,
      ${failed('ended_at', p.since)} as failed_24h
      from mails`,
  ),
)

const deliveries = statement((q) =>
  q
    .selectFrom('webhook_deliveries')
    .select((e) => e.fn.countAll<number>().as('pending'))
    .where('next_attempt_at', 'is not', null),
)

const backup = statement((q) => q.selectFrom('site').select('last_backup_at'))

async function requireRow<T>(row: Promise<T | undefined>): Promise<T> {
  const found = await row
  if (!found) throw new Error('an aggregate has no row')
  return found
}

/**
 * Returns counts and sizes over the whole database, and the time of the last backup. `week`: the time seven
 * days ago. `day`: the time 24 hours ago. Both are epoch milliseconds.
 */
export async function readNumbers(db: Handle, { week, day }: { week: number; day: number }) {
  return {
    users: await requireRow(db.first(users, { since: week })),
    contents: await db.all(contents, {}),
    texts: await requireRow(db.first(texts, {})),
    storage: await requireRow(db.first(storage, {})),
    jobs: await requireRow(db.first(jobs, { since: day })),
    mail: await requireRow(db.first(mails, { since: day })),
    webhooks: await requireRow(db.first(deliveries, {})),
    site: await requireRow(db.first(backup, {})),
  }
}
