import { type RawBuilder, sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, type Range, pickParams, statement } from '../db/statement.ts'
import type { AuditEntryRow } from '../db/audit-tables.ts'
import type { ActivityRecord, AuditListRow } from './schema.ts'

const insert = statement((q, p: AsParams<AuditEntryRow>) =>
  q
    .insertInto('audit_entries')
    .values(
      pickParams(p, [
        'id',
        'actor_id',
        'target_id',
        'action',
        'before',
        'after',
        'reason',
        'request_id',
        'created_at',
      ]),
    ),
)

export async function insertAuditEntry(tx: Tx, entry: AuditEntryRow): Promise<void> {
  await tx.run(insert, { ...entry })
}

const last = statement((q, p: { targetId: string }) =>
  q
    .selectFrom('audit_entries')
    .select('id')
    .where('target_id', '=', p.targetId)
    .orderBy('id', 'desc')
    .limit(1),
)

export async function findLastAuditId(db: Handle, targetId: string): Promise<string | undefined> {
  return (await db.first(last, { targetId }))?.id
}

const newest = statement((q, p: Range & { targetId: string }) =>
  q
    .selectFrom('audit_entries')
    .leftJoin('users as actor', 'actor.id', 'audit_entries.actor_id')
    .select([
      'audit_entries.id',
      'audit_entries.action',
      'audit_entries.before',
      'audit_entries.after',
      'audit_entries.reason',
      'audit_entries.request_id',
      'audit_entries.created_at',
      'audit_entries.actor_id',
      'actor.handle',
      'actor.display_name',
      'actor.avatar_url',
    ])
    .where('audit_entries.target_id', '=', p.targetId)
    .orderBy('audit_entries.id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

export function listAuditEntries(
  db: Handle,
  targetId: string,
  range: Range,
): Promise<AuditListRow[]> {
  return db.all(newest, { targetId, ...range })
}

const total = statement((q, p: { targetId: string }) =>
  q
    .selectFrom('audit_entries')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('target_id', '=', p.targetId),
)

export async function countAuditEntries(db: Handle, targetId: string): Promise<number> {
  return (await db.first(total, { targetId }))?.count ?? 0
}

/** `rows` is a table name followed by a `where` clause. */
function counted(rows: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*) from ${rows})`
}

const activity = statement((q, p: { userId: string; now: number }) => {
  const contents = sql`contents where creator_id = ${p.userId} and status <> 'archived'`
  const comments = sql`comments where author_id = ${p.userId} and is_deleted = 0`
  const posts = sql`posts where author_id = ${p.userId} and is_deleted = 0`
  const likes = counted(sql`likes where user_id = ${p.userId}`)
  const postLikes = counted(sql`post_likes where user_id = ${p.userId}`)
  const sessions = sql`sessions where user_id = ${p.userId} and expires_at > ${p.now}`
  return q
    .selectFrom('user_counts')
    .select([
      counted(contents).as('content_count'),
      counted(comments).as('comment_count'),
      counted(posts).as('post_count'),
      sql<number>`${likes} + ${postLikes}`.as('like_count'),
      'follower_count',
      'following_count',
      counted(sessions).as('session_count'),
    ])
    .where('user_id', '=', p.userId)
})

export function findActivity(
  db: Handle,
  userId: string,
  now: number,
): Promise<ActivityRecord | undefined> {
  return db.first(activity, { userId, now })
}
