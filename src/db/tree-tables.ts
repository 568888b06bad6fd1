import type { Flag } from './flag.ts'

export interface CommentRow {
  id: string
  content_id: string
  parent_id: string | null
  root_id: string | null
  author_id: string
  body: string
  is_deleted: Flag
  /** 1 while the list contains the comment: it is not deleted, or it has listed replies. */
  is_listed: Flag
  /** Number of direct replies that are not deleted. */
  reply_count: number
  listed_reply_count: number
  created_at: number
  updated_at: number
  /**
   * Id of the decision that hides the text, or `creator` when the creator of the content hides it. Null while the
   * text is not hidden. Hidden text is in `hidden_body`.
   */
  hidden_by: string | null
  hidden_body: string | null
}

/** Columns of `comments` that have defaults. */
export interface CommentMarks {
  like_count: number
  /** 1 while the creator of the content hides the comment, even if a decision hides it too. */
  is_hidden_by_creator: Flag
}

export const COMMENT_POLICIES = ['everyone', 'followers', 'closed'] as const
/** Users who may comment: all, the creator with the creator's followers, or none. */
export type CommentPolicy = (typeof COMMENT_POLICIES)[number]

/** Columns of `content_stats` that concern comments. They have defaults. */
export interface CommentSettings {
  comment_policy: CommentPolicy
  /** The top-level comment that the creator pinned. */
  pinned_comment_id: string | null
  /** 1 while the pinned comment is deleted or hidden, so that no comment counts as pinned. */
  is_pin_hidden: Flag
  /** Number of comments that the creator hides. */
  hidden_comment_count: number
}

export interface PostRow {
  id: string
  author_id: string
  body: string
  parent_id: string | null
  root_id: string | null
  /** Id of the last reply at any depth, including deleted replies. Stored only for the first post of a thread. */
  last_reply_id: string | null
  /** Number of direct replies that are not deleted. */
  reply_count: number
  listed_reply_count: number
  like_count: number
  is_deleted: Flag
  /** 1 while the thread contains the post: it is not deleted, or it has listed replies. */
  is_listed: Flag
  created_at: number
  /** Id of the decision that hides the text, which is then in `hidden_body`. Null otherwise. */
  hidden_by: string | null
  hidden_body: string | null
}
