/** Row and request types of the hand-written handlers. */

export interface User {
  id: string
  handle: string
  display_name: string
  avatar_url: string | null
}

export interface CommentRow extends Omit<User, 'id'> {
  id: string
  content_id: string
  parent_id: string | null
  root_id: string | null
  author_id: string
  body: string
  is_deleted: number
  reply_count: number
  created_at: number
  updated_at: number
}

export interface ContentRow extends Omit<User, 'id'> {
  id: string
  category: string
  type: string
  title: string
  description: string | null
  tags: string
  status: string
  thumbnail_url: string | null
  game: string | null
  published_at: number
  created_at: number
  updated_at: number
  like_count: number
  bookmark_count: number
  comment_count: number
  view_count: number
  play_count: number
  creator_id: string
  is_liked: number | boolean
  is_bookmarked: number | boolean
}

export interface LockedContent {
  creator_id: string
  like_count: number
  bookmark_count: number
  title: string
}

export interface NoticeRow extends Omit<User, 'id'> {
  id: string
  type: string
  kind: string
  params: string
  link: string | null
  is_read: number
  created_at: number
  actor_id: string | null
}

export interface CreatorRow extends User {
  bio: string | null
  created_at: number
  follower_count: number
  following_count: number
  content_count: number
  followed_at: number | null
}

export interface PostRow extends Omit<User, 'id'> {
  id: string
  author_id: string
  body: string
  parent_id: string | null
  root_id: string | null
  reply_count: number
  like_count: number
  is_deleted: number
  created_at: number
  liked_by: string | null
}

export interface Marks {
  peer_id: string
  read_up_to: string
  peer_read_up_to: string
}

export interface MessageRow {
  id: string
  conversation_id: string
  sender_id: string
  body: string
  client_message_id: string | null
  created_at: number
}

/** A conversation with its last message. */
export interface ConversationRow extends Omit<User, 'id'>, Marks {
  id: string
  created_at: number
  updated_at: number
  unread_count: number
  message_id: string | null
  sender_id: string
  body: string
  client_message_id: string | null
  sent_at: number
}

/** Owner of an API key, with the scopes of the key and its app. */
export interface KeyHolder extends User {
  scopes: string
  app_scopes: string
}

export interface NewContent {
  category: string
  type: string
  title: string
  description: string
  tags: string[]
}

/** A request to one of the measured routes after authentication. */
export interface Request {
  viewer: User | null
  /** Id or handle in the path. */
  id: string
  sort: string | undefined
  body: string
  /** Body of a request that creates a content. */
  work: NewContent
  now: number
}
