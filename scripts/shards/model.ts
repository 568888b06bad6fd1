/**
 * Plaza's tables as a large community fills them: the key that each would be partitioned by, its
 * rows and their bytes. The figures of docs/scaling.md come from here: `npm run shards -- --estimates`
 * prints the estimates, `npm run shards` simulates how even the shards are.
 */
import type { Tables } from '../../src/db/tables.ts'

export type TableName = keyof Tables | 'schema_migrations'

/**
 * What one member does a day, on average over all who ever joined. Assumed: measure your own
 * community before you build for it.
 */
export const DAILY = {
  likes: 0.2,
  bookmarks: 0.03,
  follows: 0.06,
  comments: 0.02,
  works: 0.001,
  posts: 0.006,
  postLikes: 0.03,
  conversations: 0.005,
  messages: 0.1,
  plays: 0.02,
  views: 3,
  sessions: 0.02,
  refreshes: 0.3,
  uploads: 0.002,
  /** Acts that tell somebody of them: most likes, comments, follows. */
  notices: 0.25,
  /** Writes with an `Idempotency-Key`. */
  keyed: 0.05,
  /** Deliveries to webhooks. */
  deliveries: 0.01,
}

/** Days that the average member has been there. */
export const AGE_DAYS = 500
/** How much busier the busiest hour is than the average one. */
export const PEAK = 4
/** What tables and indexes take beyond freshly written ones: room left by updates and splits. */
export const BLOAT = 1.4

/** What is spread over shards by the same key is kept together, so what meets within it is local. */
export type Group = 'member' | 'work' | 'thread' | 'conversation' | 'file' | 'webhook' | 'own'

export interface TableModel {
  /** Column that decides the shard; null: a copy on every shard, or one row for all. */
  key: string | null
  /** Tables of one group are placed alike; `own`: by itself. */
  group: Group | null
  /** Rows for each member. */
  rows: number
  /** Of a row with its share of the indexes. */
  bytes: number
  /** Where `bytes` is from. */
  isMeasured: boolean
  /** Rows inserted, updated or deleted a day for each member. */
  writes: number
  /** What the schema of today lacks for it; empty where it has all. */
  needs: string
}

/** What is there of something of which a member makes so many a day, and which stays. */
export const lasting = (daily: number) => daily * AGE_DAYS

function measured(
  key: string,
  group: Group,
  [rows, bytes, writes]: [number, number, number],
  needs = '',
): TableModel {
  return { key, group, rows, bytes, writes, needs, isMeasured: true }
}

/** Of a table that the demo leaves empty or small: bytes are those of tables with like columns. */
function assumed(...args: Parameters<typeof measured>): TableModel {
  return { ...measured(...args), isMeasured: false }
}

/** A table that is everywhere: small, and seldom written. */
function everywhere(needs = ''): TableModel {
  return { key: null, group: null, rows: 0, bytes: 0, writes: 0, needs, isMeasured: false }
}

const d = DAILY
const ID_ALONE = 'the primary key is the id alone'

/** `bytes`: pg_total_relation_size over rows after `plaza demo` and `vacuum full`, PostgreSQL 15. */
export const TABLES: Record<TableName, TableModel> = {
  users: measured('id', 'member', [1, 807, 0.2], 'handle and email_key are unique without it'),
  user_counts: measured('user_id', 'member', [1, 203, 2 * d.follows + d.works]),
  sessions: assumed(
    'user_id',
    'member',
    [1.5, 600, d.sessions + d.refreshes + 0.2],
    `${ID_ALONE}; a token does not say whose it is`,
  ),
  login_networks: assumed('user_id', 'member', [3, 250, d.sessions]),
  legacy_accounts: everywhere(),
  captcha_solutions: assumed('signature', 'own', [0.0001, 200, 0.004]),
  captcha_tokens: assumed('token_hash', 'own', [0.0001, 200, 0.004]),
  attempts: assumed('bucket', 'own', [0.001, 150, 0.05]),
  idempotency_keys: assumed('caller', 'member', [d.keyed, 700, 2 * d.keyed]),
  audit_entries: assumed('target_id', 'member', [0.001, 400, 0.00001], ID_ALONE),

  contents: measured('id', 'work', [lasting(d.works), 793, 3 * d.works]),
  content_texts: measured('content_id', 'work', [lasting(d.works) * 0.1, 1183, 0.1 * d.works]),
  content_stats: measured('content_id', 'work', [
    lasting(d.works),
    707,
    d.likes + d.bookmarks + d.comments + d.views + d.plays + 2 * d.works,
  ]),
  // Of the acts that change a score, a fiftieth change its heat.
  content_tags: measured(
    'content_id',
    'work',
    [
      lasting(d.works) * 1.8,
      484,
      2 * d.works + 0.036 * (d.likes + d.bookmarks + d.comments + d.plays),
    ],
    'a trigger on `content_stats` changes it: of the same work, but Citus has to be told that it may',
  ),
  tag_totals: everywhere('one row for each tag, which every publication changes'),
  category_totals: everywhere('three rows, which every publication changes'),
  member_total: everywhere('one row, which every registration changes'),
  content_views: assumed('content_id', 'work', [d.views / 12, 300, 2 * d.views]),

  likes: measured('content_id', 'work', [lasting(d.likes), 283, d.likes]),
  bookmarks: measured('content_id', 'work', [lasting(d.bookmarks), 286, d.bookmarks]),
  follows: measured('follower_id', 'member', [lasting(d.follows), 381, d.follows]),
  suspended_stars: everywhere(),
  comments: measured('content_id', 'work', [lasting(d.comments), 478, 1.4 * d.comments], ID_ALONE),

  notifications: measured(
    'user_id',
    'member',
    [lasting(d.notices), 616, 1.5 * d.notices],
    ID_ALONE,
  ),
  notification_counts: measured('user_id', 'member', [1, 205, 1.5 * d.notices]),

  conversations: measured(
    'id',
    'conversation',
    [lasting(d.conversations), 348, d.messages + d.conversations],
    'the pair of people is unique without it',
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
    `${ID_ALONE}; a column with the id of the post that a thread began with`,
  ),
  post_likes: measured(
    'thread_id',
    'thread',
    [lasting(d.postLikes), 285, d.postLikes],
    'the column thread_id',
  ),
  post_timeline: everywhere('one row, which every post changes'),

  apps: assumed('owner_id', 'member', [0.005, 400, 0.0001], ID_ALONE),
  api_keys: assumed(
    'owner_id',
    'member',
    [0.008, 500, 0.001],
    'key_hash is unique without it; a key does not say whose it is',
  ),

  files: assumed(
    'sha256',
    'file',
    [lasting(d.uploads) * 0.9, 600, d.uploads],
    'path is unique without it',
  ),
  uploads: measured('owner_id', 'member', [lasting(d.uploads), 220, d.uploads], ID_ALONE),
  storage_usage: assumed(
    'user_id',
    'member',
    [0.2, 150, 2 * d.uploads],
    'a conversion changes the usage of every owner of its file',
  ),
  content_media: measured('content_id', 'work', [lasting(d.works) * 0.9, 362, d.works]),
  jobs: assumed('subject', 'file', [lasting(d.uploads) * 0.3, 350, d.uploads], ID_ALONE),
  job_turns: assumed('owner_id', 'member', [0.1, 120, d.uploads * 0.3]),
  job_usage: assumed('owner_id', 'member', [0.1, 80, d.uploads * 0.3]),
  renditions: assumed(
    'file_sha256',
    'file',
    [lasting(d.uploads) * 0.6, 350, d.uploads],
    'path is unique without it',
  ),
  bundles: assumed('file_sha256', 'file', [lasting(d.works) * 0.1, 600, 0.1 * d.works]),
  bundle_files: assumed('bundle_sha256', 'file', [lasting(d.works) * 3, 350, 3 * d.works]),
  plays: measured('game_id', 'work', [lasting(d.plays), 274, d.plays], ID_ALONE),

  webhooks: assumed('id', 'webhook', [0.004, 900, 2 * d.deliveries]),
  webhook_events: assumed(
    'webhook_id',
    'webhook',
    [30 * d.deliveries, 1500, 2 * d.deliveries],
    'the column webhook_id, so an event once for each webhook',
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
  schema_migrations: everywhere(),
}

export interface Estimate {
  rows: number
  bytes: number
  /** Average, and in the busiest hour. */
  writesPerSecond: number
  peakWritesPerSecond: number
}

export function estimate({ rows, bytes, writes }: TableModel, members: number): Estimate {
  const writesPerSecond = (writes * members) / 86_400
  return {
    rows: rows * members,
    bytes: rows * members * bytes * BLOAT,
    writesPerSecond,
    peakWritesPerSecond: writesPerSecond * PEAK,
  }
}
