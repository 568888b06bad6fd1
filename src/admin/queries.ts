import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { ActivityRecord } from './schema.ts'

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
