import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import {
  FilterQuery,
  isFilteredField,
  toUserRef,
  UserRef,
  type UserRefRow,
} from '../users/schema.ts'
import type { Flag } from '../db/flag.ts'
import type { PostRow } from '../db/tree-tables.ts'
import { textOrNull, time } from '../http/fields.ts'
import { HiddenBy, toHiddenBy } from '../threads/schema.ts'
import { cursorQuery, NextCursor } from '../http/page.ts'

export const Post = Type.Object(
  {
    id: Type.String(),
    author: Type.Union([UserRef, Type.Null()], { description: 'Null when deleted or filtered' }),
    body: Type.String({ description: 'Empty when deleted or filtered' }),
    parent_id: textOrNull(),
    root_id: textOrNull({
      description: 'First post of the thread; null for the first post itself',
    }),
    reply_count: Type.Integer({ description: 'Direct replies that are not deleted' }),
    like_count: Type.Integer(),
    is_liked: Type.Boolean({ description: 'True when the viewer likes the post' }),
    is_deleted: Type.Boolean({ description: 'True when only its place is left, for its replies' }),
    is_filtered: isFilteredField,
    hidden_by: HiddenBy,
    created_at: time(),
  },
  { title: 'Post' },
)

export const PostAnswer = Type.Object({ post: Post })

export const Feed = Type.Object({
  posts: Type.Array(Post),
  next_cursor: NextCursor,
  prev_cursor: textOrNull({
    description: 'Send it as `after` to get newer posts; null on an empty page',
  }),
})

export const PostList = Type.Object({ posts: Type.Array(Post), next_cursor: NextCursor })

export const Thread = Type.Object({
  ancestors: Type.Array(Post, {
    description: 'Nearest 50 ancestors, oldest first; fewer when they are very long',
  }),
  has_more_ancestors: Type.Boolean({
    description: 'True when the first ancestor has ancestors itself: read its thread',
  }),
  post: Post,
  replies: Type.Array(Post, { description: 'Direct replies, oldest first' }),
  next_cursor: NextCursor,
})

export const CursorQuery = Type.Object(cursorQuery(20))
export type CursorQuery = Static<typeof CursorQuery>

export const ThreadQuery = Type.Object({ ...cursorQuery(20), ...FilterQuery })
export type ThreadQuery = Static<typeof ThreadQuery>

export const FeedQuery = Type.Object({
  ...cursorQuery(20),
  ...FilterQuery,
  after: Type.Optional(
    Type.String({
      description:
        'Id of a post: returns the next newer ones. With `before`, returns those between both',
    }),
  ),
})
export type FeedQuery = Static<typeof FeedQuery>

const text = { body: Type.String({ minLength: 1, maxLength: 1000 }) }
export const PostInput = Type.Object(text, { examples: [{ body: '오늘 새 작품을 올렸어요.' }] })
export const ReplyInput = Type.Object(text, { examples: [{ body: '기다렸어요!' }] })

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
  | 'hidden_by'
  | 'created_at'
> &
  Omit<UserRefRow, 'id'> & {
    is_liked: Flag | boolean
    /**
     * 1 when the viewer has blocked or muted the author, so that text and author are omitted. Undefined in
     * queries that omit nothing.
     */
    is_filtered?: Flag
  }

export function toPost(row: PostRecordRow): Static<typeof Post> {
  const isFiltered = row.is_filtered === 1
  return {
    id: row.id,
    author: row.is_deleted || isFiltered ? null : toUserRef({ ...row, id: row.author_id }),
    body: isFiltered ? '' : row.body,
    parent_id: row.parent_id,
    root_id: row.root_id,
    reply_count: row.reply_count,
    like_count: row.like_count,
    is_liked: Boolean(row.is_liked),
    is_deleted: row.is_deleted === 1,
    is_filtered: isFiltered,
    hidden_by: toHiddenBy(row),
    created_at: iso(row.created_at),
  }
}
