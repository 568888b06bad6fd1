import { sql } from 'kysely'
import { toUser } from '../creators/schema.ts'
import type { Handle } from '../db/handle.ts'
import { FALSE, type Range, rawQuery, statement } from '../db/statement.ts'
import { isOpenTo } from '../db/visibility.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'

const total = statement((q, p: { contentId: string; viewerId: string }, dialect) =>
  rawQuery(
    q,
    // Subtracts the likes of suspended users, because counting these few takes less time than counting all others.
    sql<{ total: number }>`select like_count - (
        select count(*) from users as gone ${dialect.indexedBy('users_suspended')}
        where gone.is_suspended = 1 and exists (select 1 from likes
          where likes.content_id = stats.content_id and likes.user_id = gone.id)
      ) as total
      from content_stats as stats
      where content_id = ${p.contentId} and ${isOpenTo(p.viewerId, 'stats')}`,
  ),
)

const likers = statement((q, p: Range & { contentId: string; viewerId: string }) =>
  q
    .selectFrom('likes')
    .innerJoin('users', 'users.id', 'likes.user_id')
    .leftJoin('follows as own', (join) =>
      join.onRef('own.creator_id', '=', 'users.id').on('own.follower_id', '=', p.viewerId),
    )
    .select([
      'users.id',
      'users.handle',
      'users.display_name',
      'users.avatar_url',
      'users.avatar_sizes',
    ])
    .select('own.created_at as followed_at')
    .where('likes.content_id', '=', p.contentId)
    .where('users.is_suspended', '=', FALSE)
    .orderBy('likes.created_at', 'desc')
    .orderBy('likes.user_id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)

/**
 * Returns a page of the users who like a content item, latest like first, and the total. Both exclude suspended users.
 * Errors: 404 CONTENT_NOT_FOUND when the viewer cannot read the content.
 */
export async function listLikers(
  db: Handle,
  viewer: Viewer | null,
  contentId: string,
  query: PageInput,
) {
  const target = { contentId, viewerId: viewer?.id ?? '' }
  const [found, users] = await Promise.all([
    db.first(total, target),
    db.all(likers, { ...target, ...offsetOf(query) }),
  ])
  if (!found) throw new ApiError('CONTENT_NOT_FOUND')
  return { users: users.map(toUser), pagination: paginationOf(query, found.total) }
}
