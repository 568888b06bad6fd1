import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { slots, statement } from '../db/statement.ts'
import type { AuditEntryRow } from '../db/tables.ts'
import type { ActivityRecord, AuditListRow } from './schema.ts'

const insert = statement((q, p: { [K in keyof AuditEntryRow]: AuditEntryRow[K] }) =>
  q
    .insertInto('audit_entries')
    .values(
      slots(p, [
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

/** The id of the latest entry on a person. */
export async function findLastAuditId(db: Handle, targetId: string): Promise<string | undefined> {
  return (await db.first(last, { targetId }))?.id
}

const newest = statement((q, p: { targetId: string; limit: number; offset: number }) =>
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

/** What was changed about a person, newest first. */
export function listAuditEntries(
  db: Handle,
  targetId: string,
  page: { limit: number; offset: number },
): Promise<AuditListRow[]> {
  return db.all(newest, { targetId, ...page })
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

const activity = statement((q, p: { userId: string; now: number }) =>
  q
    .selectFrom('user_counts')
    .select(['follower_count', 'following_count'])
    .select((e) => [
      e
        .selectFrom('contents')
        .where('creator_id', '=', p.userId)
        .where('status', '<>', sql.lit('archived'))
        .select((c) => c.fn.countAll<number>().as('count'))
        .as('content_count'),
      e
        .selectFrom('comments')
        .where('author_id', '=', p.userId)
        .where('is_deleted', '=', sql.lit(0))
        .select((c) => c.fn.countAll<number>().as('count'))
        .as('comment_count'),
      e
        .selectFrom('posts')
        .where('author_id', '=', p.userId)
        .where('is_deleted', '=', sql.lit(0))
        .select((c) => c.fn.countAll<number>().as('count'))
        .as('post_count'),
      e
        .selectFrom('likes')
        .where('user_id', '=', p.userId)
        .select((c) => c.fn.countAll<number>().as('count'))
        .as('content_like_count'),
      e
        .selectFrom('post_likes')
        .where('user_id', '=', p.userId)
        .select((c) => c.fn.countAll<number>().as('count'))
        .as('post_like_count'),
      e
        .selectFrom('sessions')
        .where('user_id', '=', p.userId)
        .where('expires_at', '>', p.now)
        .select((c) => c.fn.countAll<number>().as('count'))
        .as('session_count'),
    ])
    .where('user_counts.user_id', '=', p.userId),
)

/** How much a person has done; undefined for nobody. */
export async function findActivity(
  db: Handle,
  userId: string,
  now: number,
): Promise<ActivityRecord | undefined> {
  return db.first(activity, { userId, now })
}
