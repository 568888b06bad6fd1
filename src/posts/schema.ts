import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import { toUserRef, UserRef, type UserRefRow } from '../creators/schema.ts'
import type { PostRow } from '../db/tables.ts'
import { textOrNull, time } from '../http/fields.ts'
import { cursorQuery, NextCursor } from '../http/page.ts'

const Post = Type.Object(
  {
    id: Type.String(),
    author: Type.Union([UserRef, Type.Null()], { description: 'Null once deleted' }),
    body: Type.String({ description: 'Empty once deleted' }),
    parent_id: textOrNull(),
    root_id: textOrNull({
      description: 'The post a thread began with; null for that post itself',
    }),
    reply_count: Type.Integer({ description: 'Direct replies that are not deleted' }),
    like_count: Type.Integer(),
    is_liked: Type.Boolean({ description: 'By the caller' }),
    is_deleted: Type.Boolean({ description: 'True where it only keeps a place for its replies' }),
    created_at: time(),
  },
  { title: 'Post' },
)

export const PostAnswer = Type.Object({ post: Post })

export const Feed = Type.Object({
  posts: Type.Array(Post),
  next_cursor: NextCursor,
  prev_cursor: textOrNull({
    description: 'What to send as `after` for newer posts; null on an empty page',
  }),
})

export const PostList = Type.Object({ posts: Type.Array(Post), next_cursor: NextCursor })

export const Thread = Type.Object({
  ancestors: Type.Array(Post, {
    description: 'The nearest 50 posts above, oldest first; fewer where they are very long',
  }),
  has_more_ancestors: Type.Boolean({
    description: 'True where posts above the first one exist: read the thread of that one',
  }),
  post: Post,
  replies: Type.Array(Post, { description: 'Direct replies, oldest first' }),
  next_cursor: NextCursor,
})

export const CursorQuery = Type.Object(cursorQuery(20))
export type CursorQuery = Static<typeof CursorQuery>

export const FeedQuery = Type.Object({
  ...cursorQuery(20),
  after: Type.Optional(
    Type.String({
      description: 'The newer posts next to this one; with `before`, those between the two',
    }),
  ),
})
export type FeedQuery = Static<typeof FeedQuery>

export const PostInput = Type.Object({ body: Type.String({ minLength: 1, maxLength: 1000 }) })

export const PostLike = Type.Object(
  { is_liked: Type.Boolean(), like_count: Type.Integer() },
  { title: 'LikeResult' },
)

/** A post with its author's names, as one viewer sees it. */
export type PostRecordRow = Pick<
  PostRow,
  | 'id'
  | 'author_id'
  | 'body'
  | 'parent_id'
  | 'root_id'
  | 'reply_count'
  | 'like_count'
  | 'is_deleted'
  | 'created_at'
> &
  Omit<UserRefRow, 'id'> & {
    /** The viewer's id where the viewer likes it. */
    liked_by: string | null
  }

export function toPost(row: PostRecordRow): Static<typeof Post> {
  return {
    id: row.id,
    author: row.is_deleted ? null : toUserRef({ ...row, id: row.author_id }),
    body: row.body,
    parent_id: row.parent_id,
    root_id: row.root_id,
    reply_count: row.reply_count,
    like_count: row.like_count,
    is_liked: row.liked_by !== null,
    is_deleted: row.is_deleted === 1,
    created_at: iso(row.created_at),
  }
}
