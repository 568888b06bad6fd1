import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import {
  FilterQuery,
  isFilteredField,
  toUserRef,
  UserRef,
  type UserRefRow,
} from '../users/schema.ts'
import { isId } from '../db/ids.ts'
import type { Flag } from '../db/flag.ts'
import type { CommentMarks, CommentRow } from '../db/tree-tables.ts'
import { checked, choice, textOrNull, time } from '../http/fields.ts'
import { HiddenBy, toHiddenBy } from '../threads/schema.ts'
import { PageQuery, Pagination } from '../http/page.ts'

const Comment = Type.Object(
  {
    id: Type.String(),
    content_id: Type.String(),
    parent_id: textOrNull(),
    root_id: textOrNull({
      description: 'Top-level comment above a reply; null for a top-level comment',
    }),
    author: Type.Union([UserRef, Type.Null()], { description: 'Null when deleted or filtered' }),
    body: Type.String({ description: 'Empty when deleted or filtered' }),
    is_deleted: Type.Boolean({ description: 'True when only its place is left, for its replies' }),
    is_filtered: isFilteredField,
    hidden_by: HiddenBy,
    reply_count: Type.Integer({ description: 'Direct replies that are not deleted' }),
    like_count: Type.Integer(),
    is_liked: Type.Boolean({ description: 'True when the viewer likes the comment' }),
    is_pinned: Type.Boolean({ description: 'True when the author of the content pinned it' }),
    created_at: time(),
    updated_at: time(),
  },
  { title: 'Comment' },
)

export const CommentAnswer = Type.Object({ comment: Comment })
export const CommentList = Type.Object({
  comments: Type.Array(Comment),
  pinned_comment: Type.Union([Comment, Type.Null()], {
    description: 'The pinned comment, also when it is on another page; null without one',
  }),
  pagination: Pagination,
})
export const HiddenComments = Type.Object({
  comments: Type.Array(Comment),
  pagination: Pagination,
})
export const HiddenQuery = Type.Object(PageQuery)

export const PinInput = Type.Object(
  { comment_id: Type.String({ description: 'A top-level comment of this content' }) },
  { examples: [{ comment_id: 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t' }] },
)
export const PinResult = Type.Object({ pinned_comment_id: textOrNull() })

export const CommentQuery = checked(
  Type.Object({
    ...PageQuery,
    sort: choice(['oldest', 'newest', 'top'], {
      default: 'oldest',
      description:
        'With `oldest`, new comments come last, so pages stay stable while others write. `top`: most likes first, then the oldest',
    }),
    parent_id: Type.Optional(
      Type.String({
        description: '`none`: top-level comments. An id: direct replies to that comment',
      }),
    ),
    ...FilterQuery,
  }),
  ({ parent_id }, problems) => {
    if (parent_id !== undefined && parent_id !== 'none' && !isId('cmt', parent_id)) {
      problems.push({ field: 'parent_id', key: 'invalid.format' })
    }
  },
)
export type CommentQuery = Static<typeof CommentQuery>

export const COMMENT_MAX = 1000
const Body = Type.String({ minLength: 1, maxLength: COMMENT_MAX })

export const CommentInput = Type.Object(
  {
    body: Body,
    parent_id: Type.Optional(
      textOrNull({
        pattern: '^cmt_[0-9a-z]{26}$',
        description: 'Comment on the same content that this one replies to',
      }),
    ),
  },
  { examples: [{ body: '색감이 정말 좋아요!', parent_id: null }] },
)
export type CommentInput = Static<typeof CommentInput>

export const CommentEdit = Type.Object(
  { body: Body },
  { examples: [{ body: '색감이 정말 좋아요!' }] },
)

export type CommentRecordRow = Pick<
  CommentRow & CommentMarks,
  | 'id'
  | 'content_id'
  | 'parent_id'
  | 'root_id'
  | 'author_id'
  | 'body'
  | 'is_deleted'
  | 'hidden_by'
  | 'reply_count'
  | 'like_count'
  | 'created_at'
  | 'updated_at'
> &
  Omit<UserRefRow, 'id'> & {
    /** True when the viewer likes the comment. Undefined in queries without a viewer. */
    is_liked?: Flag | boolean
    /** True for the pinned comment. Null when no comment is pinned. Undefined for new comments. */
    is_pinned?: Flag | boolean | null
    /** 1 when text and author are hidden from the viewer. Undefined in queries that hide nothing. */
    is_filtered?: Flag
  }

export function toComment(row: CommentRecordRow): Static<typeof Comment> {
  const isFiltered = row.is_filtered === 1
  return {
    id: row.id,
    content_id: row.content_id,
    parent_id: row.parent_id,
    root_id: row.root_id,
    author: row.is_deleted || isFiltered ? null : toUserRef({ ...row, id: row.author_id }),
    body: isFiltered ? '' : row.body,
    is_deleted: row.is_deleted === 1,
    is_filtered: isFiltered,
    hidden_by: toHiddenBy(row),
    reply_count: row.reply_count,
    like_count: row.like_count,
    is_liked: Boolean(row.is_liked),
    is_pinned: Boolean(row.is_pinned),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
