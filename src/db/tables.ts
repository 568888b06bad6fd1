/**
 * The data model; rows of media and games are in `media-tables.ts`, those of apps, keys and
 * webhooks in `console-tables.ts`. Times are epoch milliseconds; flags are 0 or 1; ids are TypeIDs
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
  /** Lower-case, unique. */
  handle: string
  email: string
  /** Lower-case, unique: what addresses are compared by. */
  email_key: string
  /** Argon2id in PHC form. */
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
  /** Lower-case handle, display name, e-mail and id, one a line: what members are searched by. */
  search_text: string
}

export interface UserCountsRow {
  user_id: string
  follower_count: number
  following_count: number
  /** Public works. */
  content_count: number
  /** Of those, the ones of each category. */
  hype_count: number
  swipe_count: number
  jump_count: number
  /** Followers who are suspended: `follower_count` counts them too, lists leave them out. */
  suspended_follower_count: number
}

export interface FollowRow {
  creator_id: string
  follower_id: string
  created_at: number
  is_follower_suspended: Flag
  /** Not where the creator is one of `suspended_stars`, whose follows are too many to change. */
  is_creator_suspended: Flag
}

export interface SessionRow {
  id: string
  user_id: string
  /** SHA-256 of the current access token, base64url. */
  access_hash: string
  access_expires_at: number
  /** The access token before, good until its own end. */
  previous_access_hash: string | null
  previous_access_expires_at: number | null
  /** Random; with TOKEN_SECRET it gives the tokens of each generation. */
  seed: string
  /** Counts refreshes; part of the refresh token. */
  generation: number
  refreshed_at: number
  expires_at: number
  user_agent: string | null
  ip: string | null
  created_at: number
  last_seen_at: number
}

export interface IdempotencyKeyRow {
  /** A user's id or an API key's. */
  caller: string
  /** Method and path. */
  route: string
  key: string
  /** SHA-256 of query and body. */
  fingerprint: string
  status: number
  /** `data` as JSON, without raw secrets; null for 204. */
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
  /** JSON of the media as answers show them: what `content_media` refers to, which never changes. */
  media: string
  /** The picture that is shown: the one chosen, or one made of the work itself. */
  thumbnail_url: string | null
  /** The upload chosen as thumbnail; null while the picture is made of the work itself. */
  thumbnail_upload_id: string | null
  /** JSON of runtime, entry, orientation and controls; null unless a game. */
  game: string | null
  published_at: number | null
  created_at: number
  updated_at: number
}

/** What lists and toggles need of a work: narrow, so that a like rewrites no text. */
export interface ContentStatsRow {
  content_id: string
  creator_id: string
  category: Category
  /** 1 while published by a creator who is not suspended: the one test of every public list. */
  is_public: Flag
  published_at: number | null
  like_count: number
  bookmark_count: number
  /** Comments that are not deleted. */
  comment_count: number
  /** Comments the list shows: those, and deleted ones that keep a place for replies. */
  listed_comment_count: number
  /** Of those, the top-level ones. */
  top_comment_count: number
  view_count: number
  play_count: number
  /** Order of `sort=popular`: see contents/rank.ts. */
  hot_score: number
  last_comment_id: string | null
}

/** A tag by which a public work is found. */
export interface ContentTagRow {
  /** As tags are compared: see `tagKey`. */
  tag: string
  content_id: string
  category: Category
  published_at: number
  /** Of the work's score: see `heatOf`. */
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
  /** 1 while the list shows it: not deleted, or deleted with replies that are listed. */
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
  /** Which message of the catalogue is shown: `notification.<kind>`. */
  kind: string
  /** Empty for `system`: a unique key must compare it. */
  actor_id: string
  /** The id of what the act was on. */
  subject_id: string
  /** JSON of the message's parameters. */
  params: string
  link: string | null
  /** Set when read by itself; `notification_counts.read_up_to` reads all before it too. */
  is_read: Flag
  created_at: number
}

export interface NotificationCountsRow {
  user_id: string
  total: number
  unread: number
  /** Every notification up to this one counts as read. */
  read_up_to: string
  last_notification_id: string | null
}

export interface ConversationRow {
  id: string
  /** The two people, lesser id first: unique. */
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
  /** 0 for the one who did not create it, until the first message. */
  is_listed: Flag
  /** Peer's messages after `read_up_to`. */
  unread_count: number
  /** The last message this person has read; empty before the first. */
  read_up_to: string
  /** Latest activity, kept equal to the conversation's for the list's order. */
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
  /** Of a post that a thread began with: the last reply anywhere below it, deleted or not. */
  last_reply_id: string | null
  /** Direct replies that are not deleted. */
  reply_count: number
  /** Direct replies that a thread shows. */
  listed_reply_count: number
  like_count: number
  is_deleted: Flag
  /** 1 while it keeps a place in threads: not deleted, or deleted with replies that are listed. */
  is_listed: Flag
  created_at: number
}
