/**
 * Types of all tables and their rows. Times are in milliseconds since 1970, flags are 0 or 1, ids are TypeIDs
 * (`ids.ts`). Migrations define constraints.
 */

import type { AuditAction, AuditEntryRow } from './audit-tables.ts'
import type { Generated } from 'kysely'
import type {
  ApiKeyRow,
  AppRow,
  WebhookAttemptRow,
  WebhookDeliveryRow,
  WebhookEventRow,
  WebhookRow,
} from './console-tables.ts'
import type { ConversationMemberRow, ConversationRow, MessageRow } from './dm-tables.ts'
import type { DeletionRow, ErasureRow, ExportRow, RemovedFileRow } from './erasure-tables.ts'
import type { FactorColumns, FactorTables } from './factor-tables.ts'
import type { RegistrationTables } from './registration-tables.ts'
import type { Flag } from './flag.ts'
import type { LoginAgentRow, MailRow, MailTokenRow } from './mail-tables.ts'
import type {
  BlockedAvatar,
  BundleFileRow,
  BundleRow,
  ContentMediaRow,
  ContentSizes,
  FileRow,
  JobRow,
  JobTurnRow,
  JobUsageRow,
  PictureSizeRow,
  RenditionRow,
  UploadRow,
} from './media-tables.ts'
import type { SearchTables } from './search-tables.ts'
import type { SiteTables } from './site-tables.ts'
import type { FollowRow, TagRow, UserFilterRow } from './social-tables.ts'
import type { StatsTables } from './stats-tables.ts'
import type {
  AppealRow,
  CaseReasonRow,
  CaseRow,
  CaseFilterTotalRow,
  CaseTotalRow,
  ContentModeration,
  DecisionRow,
  ReportRow,
} from './moderation-tables.ts'
import type { CommentMarks, CommentRow, CommentSettings, PostRow } from './tree-tables.ts'
import type { ContentAccess, SharedWith, ViewingPreferences } from './visibility-tables.ts'

export interface Tables
  extends SiteTables,
    FactorTables,
    RegistrationTables,
    SearchTables,
    StatsTables {
  users: UserRow & Defaults<BlockedAvatar>
  user_counts: UserCountsRow
  member_total: { id: 1; total: number }
  sessions: SessionRow
  legacy_accounts: { handle: string; email: string; imported_at: number }
  captcha_solutions: { signature: string; expires_at: number }
  captcha_tokens: { token_hash: string; expires_at: number; conflicts: Generated<number> }
  login_networks: { user_id: string; network_hash: string; seen_at: number }
  login_agents: LoginAgentRow
  mails: MailRow
  mail_tokens: MailTokenRow
  attempts: { bucket: string; count: number; resets_at: number }
  idempotency_keys: IdempotencyKeyRow
  audit_entries: AuditEntryRow
  audit_totals: { action: AuditAction; total: number }
  case_totals: CaseTotalRow
  case_filter_totals: CaseFilterTotalRow

  contents: ContentRow & Defaults<ContentModeration & ContentAccess & ContentSizes>
  content_texts: { content_id: string; body: string }
  content_stats: ContentStatsRow & Defaults<CommentSettings>
  content_tags: ContentTagRow
  tag_totals: { tag: string; category: Category; total: number }
  /** Number of tags that lists may show. Triggers change it. */
  shown_tags: { id: 1; total: number }
  tags: TagRow
  category_totals: { category: Category; total: number }
  content_views: { content_id: string; viewer: string; hour: number }

  likes: { content_id: string; user_id: string; created_at: number }
  bookmarks: { content_id: string; user_id: string; created_at: number }
  follows: FollowRow
  tag_follows: { user_id: string; tag: string; created_at: number }
  suspended_stars: { creator_id: string }
  user_filters: UserFilterRow
  comments: CommentRow & Defaults<CommentMarks>
  comment_likes: { comment_id: string; user_id: string; created_at: number }

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
  storage_usage: { user_id: string; used_bytes: number; file_count: number }
  content_media: ContentMediaRow
  jobs: JobRow
  job_turns: JobTurnRow
  job_usage: JobUsageRow
  renditions: RenditionRow
  picture_sizes: PictureSizeRow

  bundles: BundleRow
  bundle_files: BundleFileRow
  plays: { id: string; game_id: string; user_id: string; created_at: number }

  webhooks: WebhookRow
  webhook_events: WebhookEventRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow

  erasures: ErasureRow
  deletions: DeletionRow
  reserved_handles: { handle_hash: string }
  removed_files: RemovedFileRow
  exports: ExportRow
  reports: ReportRow
  cases: CaseRow
  case_reasons: CaseReasonRow
  decisions: DecisionRow
  decision_users: { user_id: string; decision_id: string }
  hidden_subjects: { subject_id: string; decision_id: string }
  appeals: AppealRow
}

/** Marks the columns of a row as columns with defaults, which inserts may leave out. */
type Defaults<Row> = { [K in keyof Row]: Generated<Row[K]> }

export type Role = 'user' | 'admin'
/** Areas that a user who is not an admin may administer: content and reports, accounts, or the site. */
export const PERMISSIONS = ['moderate', 'members', 'site'] as const
export type Permission = (typeof PERMISSIONS)[number]
export type Tier = 'regular' | 'premium'
/**
 * Users whose first messages a user accepts:
 *
 * - `everyone`: all users
 * - `requests`: all users, but messages from users that the recipient does not follow become requests
 * - `following`: users that the recipient follows
 * - `nobody`: no user
 */
export const DM_POLICIES = ['everyone', 'requests', 'following', 'nobody'] as const
export type DmPolicy = (typeof DM_POLICIES)[number]

export interface UserRow extends FactorColumns, ViewingPreferences {
  id: string
  handle: string
  email: string
  /** Lower case, unique. Used for comparisons. */
  email_key: string
  /** Argon2id hash in PHC format. */
  password_hash: string
  display_name: string
  bio: string | null
  avatar_url: string | null
  /** JSON list of `StoredSize`. Null until the server has made the sizes. A blocked avatar keeps its list. */
  avatar_sizes: string | null
  role: Role
  tier: Tier
  is_suspended: Flag
  suspended_at: number | null
  suspension_reason: string | null
  last_seen_at: number | null
  created_at: number
  /** Case-folded text that user search matches: handle, display name, email and id, one per line. */
  search_text: string
  /** JSON list of `Permission`. */
  permissions: string
  dm_policy: DmPolicy
  /** 1 when a mailed link or an operator has verified the address. */
  email_verified: Flag
  /** New address that is not verified yet; null without a pending change. */
  pending_email: string | null
  /** 1 when the user wants mails about sign-ins from new devices. */
  sign_in_alerts: Flag
  /** Time of the erasure. The row of an erased user stays, because other rows refer to it. */
  erased_at: number | null
}

export interface UserCountsRow {
  user_id: string
  follower_count: number
  following_count: number
  content_count: number
  /**
   * Number of the user's content items in the category `hype` that the feed `following` lists: public items, and items
   * for followers. `swipe_count` and `jump_count` count the other categories.
   */
  hype_count: number
  swipe_count: number
  jump_count: number
  /** Number of suspended followers. `follower_count` includes them, but lists hide them. */
  suspended_follower_count: number
  block_count: number
  mute_count: number
}

export interface SessionRow {
  id: string
  user_id: string
  /** SHA-256 of the current access token, in base64url. */
  access_hash: string
  access_expires_at: number
  /** SHA-256 of the previous access token in base64url, or null. The token stays valid until it expires. */
  previous_access_hash: string | null
  previous_access_expires_at: number | null
  /** Random value. The session's tokens are derived from this value, TOKEN_SECRET and `generation`. */
  seed: string
  /** Number of refreshes. Part of the refresh token. */
  generation: number
  refreshed_at: number
  expires_at: number
  user_agent: string | null
  ip: string | null
  created_at: number
  last_seen_at: number
}

export interface IdempotencyKeyRow {
  caller: string
  route: string
  key: string
  /** Keyed hash (HMAC-SHA-256) of the URL and the request body. */
  fingerprint: string
  status: number
  /** `data` of the response as JSON; secrets in it are null. Null for 204. */
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
  /** JSON list of `StoredMedia`. The uploads in it never change. */
  media: string
  thumbnail_url: string | null
  /** Upload that the author chose as thumbnail. Null when the server chose or made the thumbnail. */
  thumbnail_upload_id: string | null
  /** JSON of runtime, entry, orientation and controls of a game; null for other types. */
  game: string | null
  published_at: number | null
  created_at: number
  updated_at: number
}

/**
 * Counts of a content item. They are in a separate, narrow table, so that a like does not rewrite the content's
 * text.
 */
export interface ContentStatsRow {
  content_id: string
  creator_id: string
  category: Category
  type: ContentType
  /** 1 while the content is published, public and not hidden, and its creator is not suspended. */
  is_public: Flag
  shared_with: SharedWith | null
  /** 1 once the content has been public. */
  was_public: Flag
  published_at: number | null
  like_count: number
  bookmark_count: number
  /** Number of comments that are not deleted. */
  comment_count: number
  /** Number of comments in the list, including deleted comments that have listed replies. */
  listed_comment_count: number
  top_comment_count: number
  view_count: number
  play_count: number
  /** Sort key of `sort=popular`; see `hotScore` in contents/rank.ts. */
  hot_score: number
  last_comment_id: string | null
}

/** A tag of a public content item. */
export interface ContentTagRow {
  /** Normalised form of the tag, as `tagKey` returns it. */
  tag: string
  content_id: string
  category: Category
  published_at: number
  /** Bucket of the content item's score; see `scoreBucketOf` in contents/rank.ts. */
  score_bucket: number
}

export type NotificationType = 'like' | 'comment' | 'follow' | 'mention' | 'system'

export interface NotificationRow {
  id: string
  user_id: string
  type: NotificationType
  /** Kind of text: the key of its translation is `notification.<kind>`. */
  kind: string
  /** Id of the user who acted; empty for `system`, because the unique key cannot compare nulls. */
  actor_id: string
  subject_id: string
  /** JSON of the message's parameters. */
  params: string
  link: string | null
  /**
   * 1 when the user marked only this notification as read. Notifications up to `read_up_to` of
   * `notification_counts` count as read too.
   */
  is_read: Flag
  created_at: number
}

export interface NotificationCountsRow {
  user_id: string
  total: number
  unread: number
  /** Notifications up to this id count as read. */
  read_up_to: string
  last_notification_id: string | null
}
