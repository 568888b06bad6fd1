/**
 * Partition key, rows, bytes and writes of each table in a large community. `npm run shards` uses these numbers for the
 * estimates and the simulation in docs/scaling.md.
 */
import type { Tables } from '../../src/db/tables.ts'

export type TableName = keyof Tables | 'schema_migrations'

/**
 * Daily actions per user, averaged over all registered users. These are assumptions, so measure your
 * community before you rely on them.
 */
export const DAILY = {
  likes: 0.2,
  bookmarks: 0.03,
  follows: 0.06,
  comments: 0.02,
  contents: 0.001,
  posts: 0.006,
  postLikes: 0.03,
  commentLikes: 0.03,
  conversations: 0.005,
  messages: 0.1,
  plays: 0.02,
  views: 3,
  sessions: 0.02,
  refreshes: 0.3,
  uploads: 0.002,
  notifications: 0.25,
  keyed: 0.05,
  deliveries: 0.01,
}

export const AGE_DAYS = 500
/** Load in the busiest hour, relative to the average load. */
export const PEAK = 4
/** Factor for the free space that updates and page splits leave in tables and indexes. */
export const BLOAT = 1.4

/**
 * Group of tables with the same partition key. Joins and transactions whose rows have the same key value use only one
 * shard.
 */
export type Group =
  | 'member'
  | 'work'
  | 'thread'
  | 'conversation'
  | 'file'
  | 'webhook'
  | 'case'
  | 'own'

export interface TableModel {
  /**
   * Column that determines a row's shard. Null for tables that are copied to every shard, and for tables with
   * a single row.
   */
  key: string | null
  /**
   * Group of tables whose rows with the same key value are on one shard. `own`: the table shares its key with no other
   * table. Null if `key` is null.
   */
  group: Group | null
  /** Number of rows per user. */
  rows: number
  /** Bytes per row, including its share of the indexes. */
  bytes: number
  /** False when `bytes` was assumed. */
  isMeasured: boolean
  /** Rows inserted, updated or deleted per user and day. */
  writes: number
  /** Obstacle to partitioning the table, or an empty string. */
  needs: string
}

/**
 * Returns the total rows per user of a table that gains `daily` rows per user and day and never loses rows.
 */
export const lasting = (daily: number) => daily * AGE_DAYS

function measured(
  key: string,
  group: Group,
  [rows, bytes, writes]: [number, number, number],
  needs = '',
): TableModel {
  return { key, group, rows, bytes, writes, needs, isMeasured: true }
}

/**
 * Returns the model of a table with too few demo rows to measure. `bytes` is the value of a similar table.
 */
function assumed(...args: Parameters<typeof measured>): TableModel {
  return { ...measured(...args), isMeasured: false }
}

/**
 * Returns the model of a table without a partition key. Every shard has a copy, unless `needs` names an
 * obstacle.
 */
function everywhere(needs = ''): TableModel {
  return { key: null, group: null, rows: 0, bytes: 0, writes: 0, needs, isMeasured: false }
}

const d = DAILY
const PATH_ALONE = 'path is unique without it'
const ID_ALONE = 'the primary key is only the id'

/**
 * Models of all tables. `bytes` of a `measured` table is pg_total_relation_size divided by its number of rows, after
 * `plaza demo` and `vacuum full` on PostgreSQL 15.
 */
export const TABLES: Record<TableName, TableModel> = {
  users: measured('id', 'member', [1, 807, 0.2], 'handle and email_key are unique without it'),
  user_counts: measured('user_id', 'member', [1, 203, 2 * d.follows + d.contents]),
  sessions: assumed(
    'user_id',
    'member',
    [1.5, 600, d.sessions + d.refreshes + 0.2],
    `${ID_ALONE}; a token does not contain the user`,
  ),
  login_networks: assumed('user_id', 'member', [3, 250, d.sessions]),
  login_agents: assumed('user_id', 'member', [3, 250, d.sessions]),
  mails: assumed('id', 'own', [0.05, 700, 0.02], 'a mail can belong to no account'),
  mail_tokens: assumed(
    'user_id',
    'member',
    [0.01, 300, 0.005],
    'token_hash is unique without it; a reservation is looked up by email',
  ),
  totp_secrets: assumed('user_id', 'member', [0.05, 250, 0.003]),
  passkeys: assumed(
    'user_id',
    'member',
    [0.2, 400, 0.01],
    `${ID_ALONE}; credential_id is unique without it`,
  ),
  recovery_codes: assumed('user_id', 'member', [2, 150, 0.001]),
  used_challenges: assumed('challenge', 'own', [0.0001, 150, 0.01]),
  legacy_accounts: everywhere(),
  site: everywhere(),
  site_rules: everywhere(),
  pages: everywhere(),
  announcements: everywhere(),
  announcement_reads: assumed(
    'user_id',
    'member',
    [5, 150, 0.01],
    'the primary key begins with the announcement',
  ),
  picks: everywhere(),
  applications: assumed('email_key', 'own', [0.05, 600, 0.0002], 'handle is unique without it'),
  invites: assumed(
    'created_by',
    'member',
    [0.1, 300, 0.0002],
    `${ID_ALONE}; a code does not contain the user`,
  ),
  invite_uses: assumed('invite_id', 'own', [0.1, 200, 0.0002]),
  bans: everywhere(),
  captcha_solutions: assumed('signature', 'own', [0.0001, 200, 0.004]),
  captcha_tokens: assumed('token_hash', 'own', [0.0001, 200, 0.004]),
  attempts: assumed('bucket', 'own', [0.001, 150, 0.05]),
  idempotency_keys: assumed('caller', 'member', [d.keyed, 700, 2 * d.keyed]),
  audit_entries: assumed('target_id', 'member', [0.001, 400, 0.00001], ID_ALONE),

  // Adds 220 bytes and one write for the sizes of pictures, which the measured rows did not have.
  contents: measured('id', 'work', [lasting(d.contents), 793 + 220, 4 * d.contents]),
  content_texts: measured('content_id', 'work', [
    lasting(d.contents) * 0.1,
    1183,
    0.1 * d.contents,
  ]),
  content_stats: measured('content_id', 'work', [
    lasting(d.contents),
    707,
    d.likes + d.bookmarks + d.comments + d.views + d.plays + 2 * d.contents,
  ]),
  // Assumes that one in fifty score changes also changes the bucket, in one row per tag (1.8 tags on average).
  content_tags: measured(
    'content_id',
    'work',
    [
      lasting(d.contents) * 1.8,
      484,
      2 * d.contents + 0.036 * (d.likes + d.bookmarks + d.comments + d.plays),
    ],
    'a trigger on `content_stats` changes it; both rows are on one shard, but Citus must be configured to allow it',
  ),
  tag_totals: everywhere('one row per tag, changed by every publication'),
  tags: everywhere('one row per tag, changed by every publication'),
  search_documents: assumed('id', 'own', [1.5, 900, d.contents + d.posts]),
  search_progress: everywhere(),
  category_totals: everywhere('three rows, changed by every publication'),
  audit_totals: everywhere('one row per action, changed by every audit entry'),
  case_totals: everywhere('few rows, changed by every case and decision'),
  case_filter_totals: everywhere('few rows, changed by every case, report and decision'),
  shown_tags: everywhere('one row, changed when a tag is used or hidden'),
  member_total: everywhere('one row, changed by every registration'),
  content_views: assumed('content_id', 'work', [d.views / 12, 300, 2 * d.views]),

  likes: measured('content_id', 'work', [lasting(d.likes), 283, d.likes]),
  bookmarks: measured('content_id', 'work', [lasting(d.bookmarks), 286, d.bookmarks]),
  follows: measured(
    'follower_id',
    'member',
    [lasting(d.follows), 381, d.follows],
    'a trigger changes the counts of two users',
  ),
  tag_follows: assumed('user_id', 'member', [5, 250, 0.02]),
  suspended_stars: everywhere(),
  user_filters: assumed(
    'user_id',
    'member',
    [0.5, 250, 0.005],
    'a write also reads the row of the other user',
  ),
  comments: measured(
    'content_id',
    'work',
    [lasting(d.comments), 478, 1.4 * d.comments + d.commentLikes],
    ID_ALONE,
  ),
  comment_likes: assumed(
    'content_id',
    'work',
    [lasting(d.commentLikes), 285, d.commentLikes],
    'the column content_id is missing',
  ),

  content_days: assumed('content_id', 'work', [
    10,
    250,
    d.views + d.likes + d.comments + d.plays + d.follows,
  ]),
  follower_days: assumed(
    'creator_id',
    'member',
    [0.5 * lasting(d.follows), 150, d.follows],
    'follows are on the shard of the follower',
  ),

  notifications: measured(
    'user_id',
    'member',
    [lasting(d.notifications), 616, 1.5 * d.notifications],
    ID_ALONE,
  ),
  notification_counts: measured('user_id', 'member', [1, 205, 1.5 * d.notifications]),

  conversations: measured(
    'id',
    'conversation',
    [lasting(d.conversations), 348, d.messages + d.conversations],
    'the pair of users is unique without it',
  ),
  conversation_members: measured('conversation_id', 'conversation', [
    2 * lasting(d.conversations),
    378,
    3 * d.messages,
  ]),
  messages: measured(
    'conversation_id',
    'conversation',
    [lasting(d.messages), 315, d.messages],
    ID_ALONE,
  ),

  posts: measured(
    'thread_id',
    'thread',
    [lasting(d.posts), 449, 2 * d.posts + d.postLikes],
    `${ID_ALONE}; a column with the id of the thread's first post`,
  ),
  post_likes: measured(
    'thread_id',
    'thread',
    [lasting(d.postLikes), 285, d.postLikes],
    'the column thread_id',
  ),
  post_timeline: everywhere('one row, changed by every post'),

  apps: assumed('owner_id', 'member', [0.005, 400, 0.0001], ID_ALONE),
  api_keys: assumed(
    'owner_id',
    'member',
    [0.008, 500, 0.001],
    'key_hash is unique without it; a key does not contain the owner',
  ),

  files: assumed('sha256', 'file', [lasting(d.uploads) * 0.9, 600, d.uploads], PATH_ALONE),
  uploads: measured('owner_id', 'member', [lasting(d.uploads), 220, d.uploads], ID_ALONE),
  storage_usage: assumed(
    'user_id',
    'member',
    [0.2, 150, 2 * d.uploads],
    'a conversion changes the usage of every owner of its file',
  ),
  content_media: measured('content_id', 'work', [lasting(d.contents) * 0.9, 362, d.contents]),
  jobs: assumed('subject', 'file', [lasting(d.uploads) * 0.3, 350, d.uploads], ID_ALONE),
  job_turns: assumed('owner_id', 'member', [0.1, 120, d.uploads * 0.3]),
  job_usage: assumed('owner_id', 'member', [0.1, 80, d.uploads * 0.3]),
  renditions: assumed(
    'file_sha256',
    'file',
    [lasting(d.uploads) * 0.6, 350, d.uploads],
    PATH_ALONE,
  ),
  // Per user: six sizes of an avatar for 30 % of the users, and five for each of 0.5 content items.
  picture_sizes: assumed('file_sha256', 'file', [4.3, 350, 0.001 + 5 * d.contents], PATH_ALONE),
  bundles: assumed('file_sha256', 'file', [lasting(d.contents) * 0.1, 600, 0.1 * d.contents]),
  bundle_files: assumed('bundle_sha256', 'file', [lasting(d.contents) * 3, 350, 3 * d.contents]),
  plays: measured('game_id', 'work', [lasting(d.plays), 274, d.plays], ID_ALONE),

  webhooks: assumed('id', 'webhook', [0.004, 900, 2 * d.deliveries]),
  webhook_events: assumed(
    'webhook_id',
    'webhook',
    [30 * d.deliveries, 1500, 2 * d.deliveries],
    'the column webhook_id, with one copy of the event per webhook',
  ),
  webhook_deliveries: assumed(
    'webhook_id',
    'webhook',
    [30 * d.deliveries, 550, 4 * d.deliveries],
    ID_ALONE,
  ),
  webhook_attempts: assumed(
    'webhook_id',
    'webhook',
    [33 * d.deliveries, 400, 2 * d.deliveries],
    'the column webhook_id',
  ),
  erasures: assumed('id', 'own', [0.01, 120, 0.00002]),
  reserved_handles: assumed('handle_hash', 'own', [0.005, 120, 0.00001]),
  deletions: assumed('user_id', 'member', [0.0005, 200, 0.00003]),
  removed_files: assumed('sha256', 'own', [0.0001, 350, 0.00005]),
  exports: assumed('user_id', 'member', [0.01, 300, 0.0001], ID_ALONE),
  reports: assumed('case_id', 'case', [0.005, 500, 0.00002], ID_ALONE),
  cases: assumed('id', 'case', [0.002, 1800, 0.00002]),
  case_reasons: assumed('case_id', 'case', [0.003, 200, 0.00002]),
  decisions: assumed('subject_user_id', 'member', [0.002, 900, 0.00001], ID_ALONE),
  decision_users: assumed('user_id', 'member', [0.002, 200, 0.000005]),
  hidden_subjects: assumed('subject_id', 'own', [0.003, 250, 0.00001]),
  appeals: assumed('user_id', 'member', [0.0003, 900, 0.000002], ID_ALONE),
  schema_migrations: everywhere(),
}
