/**
 * Row types of the database tables. Media and games are in `media-tables.ts`; apps, keys and webhooks
 * are in `console-tables.ts`. Times are epoch milliseconds, flags are 0 or 1, and ids are TypeIDs
 * (`ids.ts`). Constraints and indexes are in `migrations/`.
 */

import type { AuditEntryRow } from './audit-tables.ts'
import type { Generated } from 'kysely'
import type {
  ApiKeyRow,
  AppRow,
  WebhookAttemptRow,
  WebhookDeliveryRow,
  WebhookEventRow,
  WebhookRow,
} from './console-tables.ts'
import type { Flag } from './flag.ts'
import type {
  BundleFileRow,
  BundleRow,
  ContentMediaRow,
  FileRow,
  JobRow,
  JobTurnRow,
  JobUsageRow,
  RenditionRow,
  UploadRow,
} from './media-tables.ts'

export interface Tables {
  users: UserRow
  user_counts: UserCountsRow
  member_total: { id: 1; total: number }
  sessions: SessionRow
  legacy_accounts: { handle: string; email: string; imported_at: number }
  captcha_solutions: { signature: string; expires_at: number }
  captcha_tokens: { token_hash: string; expires_at: number; conflicts: Generated<number> }
  login_networks: { user_id: string; network_hash: string; seen_at: number }
  attempts: { bucket: string; count: number; resets_at: number }
  idempotency_keys: IdempotencyKeyRow
  audit_entries: AuditEntryRow

  contents: ContentRow
  content_texts: { content_id: string; body: string }
  content_stats: ContentStatsRow
  content_tags: ContentTagRow
  tag_totals: { tag: string; category: Category; total: number }
  category_totals: { category: Category; total: number }
  content_views: { content_id: string; viewer: string; hour: number }

  likes: { content_id: string; user_id: string; created_at: number }
  bookmarks: { content_id: string; user_id: string; created_at: number }
  follows: FollowRow
  suspended_stars: { creator_id: string }
  comments: CommentRow

  notifications: NotificationRow
  notification_counts: NotificationCountsRow

  conversations: ConversationRow
  conversation_members: ConversationMemberRow
  messages: MessageRow

  posts: PostRow
  post_likes: { post_id: string; user_id: string; created_at: number }
  post_timeline: { id: 1; last_post_id: string | null }

  apps: AppRow
  api_keys: ApiKeyRow

  files: FileRow
  uploads: UploadRow
  storage_usage: { user_id: string; used_bytes: number }
  content_media: ContentMediaRow
  jobs: JobRow
  job_turns: JobTurnRow
  job_usage: JobUsageRow
  renditions: RenditionRow

  bundles: BundleRow
  bundle_files: BundleFileRow
  plays: { id: string; game_id: string; user_id: string; created_at: number }

  webhooks: WebhookRow
  webhook_events: WebhookEventRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow
}

export type Role = 'user' | 'admin'
export type Tier = 'regular' | 'premium'

export interface UserRow {
  id: string
  /** Unique, in lower case. */
  handle: string
  email: string
  /** Unique, in lower case; email addresses are compared by it. */
  email_key: string
  /** Argon2id in PHC format. */
  password_hash: string
  display_name: string
  bio: string | null
  avatar_url: string | null
  role: Role
  tier: Tier
  is_suspended: Flag
  suspended_at: number | null
  suspension_reason: string | null
  last_seen_at: number | null
  created_at: number
  /** Handle, display name, email and id in lower case, one per line. User search looks here. */
  search_text: string
}

export interface UserCountsRow {
  user_id: string
  follower_count: number
  following_count: number
  /** Number of public contents. */
  content_count: number
  /** Public contents in the category `hype`. The next two fields count the other categories. */
  hype_count: number
  swipe_count: number
  jump_count: number
  /** Suspended followers. `follower_count` includes them, but lists do not show them. */
  suspended_follower_count: number
}

export interface FollowRow {
  creator_id: string
  follower_id: string
  created_at: number
  is_follower_suspended: Flag
  /**
   * 0 when the creator is in `suspended_stars`, because such creators have too many followers to update.
   */
  is_creator_suspended: Flag
}

export interface SessionRow {
  id: string
  user_id: string
  /** SHA-256 of the current access token, in base64url. */
  access_hash: string
  access_expires_at: number
  /** Hash of the previous access token, which stays valid until it expires. */
  previous_access_hash: string | null
  previous_access_expires_at: number | null
  /** Random; the tokens of each generation are derived from it and TOKEN_SECRET. */
  seed: string
  /** Number of refreshes; part of the refresh token. */
  generation: number
  refreshed_at: number
  expires_at: number
  user_agent: string | null
  ip: string | null
  created_at: number
  last_seen_at: number
}

export interface IdempotencyKeyRow {
  /** Id of a user or an API key. */
  caller: string
  /** Method and path. */
  route: string
  key: string
  /** SHA-256 of the query and the body. */
  fingerprint: string
  status: number
  /** `data` as JSON without raw secrets; null for 204. */
  data: string | null
  expires_at: number
}

export type Category = 'hype' | 'swipe' | 'jump'
export type ContentType = 'video' | 'image' | 'audio' | 'article' | 'game'
export type ContentStatus = 'draft' | 'processing' | 'published' | 'archived'

export interface ContentRow {
  id: string
  creator_id: string
  category: Category
  type: ContentType
  title: string
  description: string | null
  /** JSON list of strings. */
  tags: string
  status: ContentStatus
  /** JSON of the media in `content_media` as responses show them. The referenced media never change. */
  media: string
  /** URL of the displayed thumbnail: the chosen one, or one generated from the content. */
  thumbnail_url: string | null
  /** The upload chosen as thumbnail; null while the thumbnail is generated from the content. */
  thumbnail_upload_id: string | null
  /** JSON of runtime, entry, orientation and controls; null except for games. */
  game: string | null
  published_at: number | null
  created_at: number
  updated_at: number
}

/**
 * Statistics of a content, as needed by lists and toggles. They are a narrow table, so that a like
 * rewrites no text.
 */
export interface ContentStatsRow {
  content_id: string
  creator_id: string
  category: Category
  /**
   * 1 while the content is published and its creator is not suspended. Public lists check only this
   * flag.
   */
  is_public: Flag
  published_at: number | null
  like_count: number
  bookmark_count: number
  /** Comments that are not deleted. */
  comment_count: number
  /** Comments in the list: those not deleted, and deleted ones kept as parents of replies. */
  listed_comment_count: number
  /** Top-level comments among the listed ones. */
  top_comment_count: number
  view_count: number
  play_count: number
  /** Sort key of `sort=popular`; see contents/rank.ts. */
  hot_score: number
  last_comment_id: string | null
}

/** A tag of a public content. */
export interface ContentTagRow {
  /** Normalised form of the tag, as `tagKey` returns it. */
  tag: string
  content_id: string
  category: Category
  published_at: number
  /** Bucket of the content's score; see `heatOf`. */
  heat: number
}

export interface CommentRow {
  id: string
  content_id: string
  parent_id: string | null
  root_id: string | null
  author_id: string
  body: string
  is_deleted: Flag
  /** 1 while the list shows it: not deleted, or deleted with listed replies. */
  is_listed: Flag
  /** Direct replies that are not deleted. */
  reply_count: number
  /** Direct replies that the list shows. */
  listed_reply_count: number
  created_at: number
  updated_at: number
}

export type NotificationType = 'like' | 'comment' | 'follow' | 'mention' | 'system'

export interface NotificationRow {
  id: string
  user_id: string
  type: NotificationType
  /** Key of the displayed message: `notification.<kind>`. */
  kind: string
  /** Empty for `system`, because the unique key cannot compare nulls. */
  actor_id: string
  /** Id of the object that the actor acted on. */
  subject_id: string
  /** JSON of the message's parameters. */
  params: string
  link: string | null
  /** 1 when read individually. `notification_counts.read_up_to` marks all earlier ones as read too. */
  is_read: Flag
  created_at: number
}

export interface NotificationCountsRow {
  user_id: string
  total: number
  unread: number
  /** All notifications up to this id count as read. */
  read_up_to: string
  last_notification_id: string | null
}

export interface ConversationRow {
  id: string
  /** The two users, smaller id first; unique. */
  user_low: string
  user_high: string
  last_message_id: string | null
  created_at: number
  updated_at: number
}

export interface ConversationMemberRow {
  conversation_id: string
  user_id: string
  peer_id: string
  /** 0 for the user who did not create the conversation, until the first message. */
  is_listed: Flag
  /** The peer's messages after `read_up_to`. */
  unread_count: number
  /** The last message this user has read; empty before the first. */
  read_up_to: string
  /** Time of the latest activity. It equals the conversation's and is stored here to sort the list. */
  updated_at: number
}

export interface MessageRow {
  id: string
  conversation_id: string
  sender_id: string
  body: string
  client_message_id: string | null
  created_at: number
}

export interface PostRow {
  id: string
  author_id: string
  body: string
  parent_id: string | null
  root_id: string | null
  /** For the first post of a thread: the last reply at any depth, deleted or not. */
  last_reply_id: string | null
  /** Direct replies that are not deleted. */
  reply_count: number
  /** Direct replies that the thread shows. */
  listed_reply_count: number
  like_count: number
  is_deleted: Flag
  /** 1 while threads show it: not deleted, or deleted with listed replies. */
  is_listed: Flag
  created_at: number
}
