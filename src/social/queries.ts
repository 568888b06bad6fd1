/** Triggers change the counts and the hot score (`027-counts.ts`). */
import { sql } from 'kysely'
import type { Handle, Tx } from '../db/handle.ts'
import { FALSE, type Range, rawQuery, statement, statementFamily, TRUE } from '../db/statement.ts'
import { isBlocked } from '../db/user-filters.ts'

const COLUMNS = {
  likes: ['content_id', 'user_id'],
  bookmarks: ['content_id', 'user_id'],
  follows: ['creator_id', 'follower_id'],
} as const

type Table = keyof typeof COLUMNS
type Pair = { targetId: string; userId: string }

const insert = statementFamily(({ table }: { table: Table }) =>
  statement((q, p: Pair & { now: number }) =>
    rawQuery(
      q,
      sql`insert into ${sql.table(table)} (${sql.join(COLUMNS[table].map(sql.ref))}, created_at)
        values (${p.targetId}, ${p.userId}, ${p.now}) on conflict do nothing`,
    ),
  ),
)

/** Returns false when the row exists already. The caller holds the lock of the target. */
export async function insertRelation(tx: Tx, table: Table, pair: Pair, now: number) {
  return (await tx.run(insert({ table }), { ...pair, now })) > 0
}

const remove = statementFamily(({ table }: { table: Table }) =>
  statement((q, p: Pair) => {
    const [target, user] = COLUMNS[table].map((name) => sql.ref(name))
    return rawQuery(
      q,
      sql`delete from ${sql.table(table)} where ${target} = ${p.targetId} and ${user} = ${p.userId}`,
    )
  }),
)

/** Returns false when there is no such row. The caller holds the lock of the target. */
export async function deleteRelation(tx: Tx, table: Table, pair: Pair) {
  return (await tx.run(remove({ table }), pair)) > 0
}

const lockStats = statement((q, p: { id: string; viewerId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('content_stats')
      .select(['creator_id', 'like_count', 'bookmark_count'])
      // Uses a subquery, because a join would lock the content too.
      .select((e) =>
        e
          .selectFrom('contents')
          .select('title')
          .where('id', '=', p.id)
          .$asScalar()
          .$notNull()
          .as('title'),
      )
      .select(isBlocked(p.viewerId, sql.ref('content_stats.creator_id')).as('is_blocked'))
      .where('content_id', '=', p.id)
      .where('is_public', '=', TRUE),
  ),
)

/**
 * Returns undefined unless the content is public. Locks its counts until the transaction ends. `is_blocked` is
 * 1 when the creator or the viewer blocked the other.
 */
export function lockPublicContent(tx: Tx, id: string, viewerId: string) {
  return tx.first(lockStats, { id, viewerId })
}

const lockCounts = statement((q, p: { handle: string; viewerId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('user_counts')
      .select('user_id')
      .where((e) =>
        e.or([
          e('user_id', '=', p.viewerId),
          e('user_id', '=', e.selectFrom('users').select('id').where('handle', '=', p.handle)),
        ]),
      )
      .orderBy('user_id'),
  ),
)

const creator = statement((q, p: { handle: string; viewerId: string }) =>
  q
    .selectFrom('users as creator')
    .innerJoin('user_counts as counts', 'counts.user_id', 'creator.id')
    .innerJoin('users as viewer', (join) => join.on('viewer.id', '=', p.viewerId))
    .select(['creator.id', 'creator.is_suspended', 'counts.follower_count'])
    .select(isBlocked(p.viewerId, sql.ref('creator.id')).as('is_blocked'))
    .select('viewer.is_suspended as is_viewer_suspended')
    .where('creator.handle', '=', p.handle)
    .where('creator.erased_at', 'is', null),
)

/**
 * Returns the creator, suspended or not. Locks the counts of creator and viewer in the order of their ids.
 * A suspension of either locks them too, so it is seen here or waits until the transaction ends.
 */
export async function lockCreator(tx: Tx, handle: string, viewerId: string) {
  await tx.send(lockCounts, { handle, viewerId })
  return tx.first(creator, { handle, viewerId })
}

const total = statement((q, p: { contentId: string }, dialect) =>
  rawQuery(
    q,
    // There are few suspended users, so this takes less time than counting the others.
    sql<{ total: number }>`select like_count - (
        select count(*) from users as gone ${dialect.indexedBy('users_suspended')}
        where gone.is_suspended = 1 and exists (select 1 from likes
          where likes.content_id = stats.content_id and likes.user_id = gone.id)
      ) as total
      from content_stats as stats where content_id = ${p.contentId} and is_public = 1`,
  ),
)

const likers = statement((q, p: Range & { contentId: string; viewerId: string }) =>
  q
    .selectFrom('likes')
    .innerJoin('users', 'users.id', 'likes.user_id')
    .leftJoin('follows as own', (join) =>
      join.onRef('own.creator_id', '=', 'users.id').on('own.follower_id', '=', p.viewerId),
    )
    .select(['users.id', 'users.handle', 'users.display_name', 'users.avatar_url'])
    .select('own.created_at as followed_at')
    .where('likes.content_id', '=', p.contentId)
    .where('users.is_suspended', '=', FALSE)
    .orderBy('likes.created_at', 'desc')
    .orderBy('likes.user_id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/** Lists the newest like first, without suspended users. Returns undefined unless the content is public. */
export async function listLikers(
  db: Handle,
  { contentId, viewerId = '' }: { contentId: string; viewerId: string | undefined },
  range: Range,
) {
  const [found, users] = await Promise.all([
    db.first(total, { contentId }),
    db.all(likers, { contentId, viewerId, ...range }),
  ])
  return found && { users, total: found.total }
}
