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
  /** Direct replies that are not deleted. */
  reply_count: number
  listed_reply_count: number
  created_at: number
  updated_at: number
  /** Id of the decision that hides the text, which is then in `hidden_body`. Null otherwise. */
  hidden_by: string | null
  hidden_body: string | null
}

export interface PostRow {
  id: string
  author_id: string
  body: string
  parent_id: string | null
  root_id: string | null
  /** Set for the first post of a thread: id of the last reply at any depth, including deleted ones. */
  last_reply_id: string | null
  /** Direct replies that are not deleted. */
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
