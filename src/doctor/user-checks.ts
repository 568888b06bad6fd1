import { type Check, counted, paired } from './check.ts'

const users = (column: string, rows: string) => counted(column, 'user_counts', 'user_id', rows)

export const ofUsers: Check[] = [
  {
    name: 'erasures: no data is left after the erasure',
    sql: `select erasures.id from erasures
      left join contents on contents.id = erasures.id
      left join users on users.id = erasures.id and users.erased_at is null
      left join jobs on jobs.kind = 'erasure' and jobs.subject = erasures.id
      where jobs.id is null and (contents.id is not null or users.id is not null)`,
  },
  paired('user_counts', 'user_id', 'users'),
  users('follower_count', 'select creator_id as owner from follows'),
  users('following_count', 'select follower_id as owner from follows'),
  users('content_count', 'select creator_id as owner from content_stats where is_public = 1'),
  ...['hype', 'swipe', 'jump'].map((category) =>
    users(
      `${category}_count`,
      `select creator_id as owner from content_stats
        where (is_public = 1 or shared_with = 'followers') and category = '${category}'`,
    ),
  ),
  users(
    'suspended_follower_count',
    `select follows.creator_id as owner from follows
      join users on users.id = follows.follower_id where users.is_suspended = 1`,
  ),
  ...(['block', 'mute'] as const).map((kind) =>
    users(
      `${kind}_count`,
      `select user_id as owner from user_filters where ${kind === 'block' ? 'blocked' : 'muted'}_at is not null`,
    ),
  ),
  counted('passkey_count', 'users', 'id', 'select user_id as owner from passkeys'),
  counted('recovery_code_count', 'users', 'id', 'select user_id as owner from recovery_codes'),
  counted(
    'has_totp',
    'users',
    'id',
    'select user_id as owner from totp_secrets where confirmed_at is not null',
  ),
  counted('total', 'member_total', 'id', 'select 1 as owner from users where erased_at is null'),
  counted('total', 'audit_totals', 'action', 'select action as owner from audit_entries'),
  ...['used_bytes', 'file_count'].map((column) => ({
    name: `storage_usage.${column}`,
    sql: `select coalesce(stored.user_id, counted.owner_id) as id from storage_usage as stored
      full join (
        select owned.owner_id, sum(files.stored_bytes + files.rendition_bytes) as used_bytes,
          sum(files.file_count) as file_count
        from (select distinct owner_id, file_sha256 from uploads) as owned
        join files on files.sha256 = owned.file_sha256 group by owned.owner_id
      ) as counted on counted.owner_id = stored.user_id
      where coalesce(stored.${column}, 0) <> coalesce(counted.${column}, 0)`,
  })),
  {
    name: 'files.file_count',
    sql: `select files.sha256 as id from files
      left join (select bundle_sha256, count(*) as n from bundle_files group by bundle_sha256)
        as unpacked on unpacked.bundle_sha256 = files.sha256
      where files.file_count <> 1 + coalesce(unpacked.n, 0)
        + case when files.thumbnail_path <> files.path then 1 else 0 end`,
  },
  {
    // For a video, `rendition_bytes` may exceed the sum of the picture sizes, because it also counts renditions.
    name: 'files.rendition_bytes: the sizes of the picture',
    sql: `select files.sha256 as id from files
      join (select file_sha256, sum(size_bytes) as n from picture_sizes group by file_sha256)
        as sizes on sizes.file_sha256 = files.sha256
      where files.rendition_bytes <> sizes.n and (files.rendition_bytes < sizes.n
        or not exists (select 1 from renditions where file_sha256 = files.sha256))`,
  },
  {
    // `avatar_sizes` begins with the path of a size: [["<folder>/48.avif",48,48],…
    name: 'users.avatar_sizes: sizes of the avatar',
    sql: `select users.id from users
      where users.avatar_sizes <> '[]' and not exists (
        select 1 from uploads join picture_sizes as size on size.file_sha256 = uploads.file_sha256
        where uploads.owner_id = users.id and substr(size.path, 1, 82) =
          substr(coalesce(users.blocked_avatar_url, users.avatar_url), 10, 64) || '/' ||
          substr(users.avatar_sizes, 4, 17))`,
  },
  {
    name: 'files.stored_bytes: at least the file and its unpacked bundle',
    sql: `select files.sha256 as id from files
      left join (select bundle_sha256, sum(size_bytes) as n from bundle_files group by bundle_sha256)
        as unpacked on unpacked.bundle_sha256 = files.sha256
      where files.is_measured = 1
        and files.stored_bytes < files.size_bytes + coalesce(unpacked.n, 0)`,
  },
  {
    name: 'suspended_stars: suspended',
    sql: `select creator_id as id from suspended_stars
      join users on users.id = creator_id where users.is_suspended = 0`,
  },
  {
    name: 'follows.is_follower_suspended',
    sql: `select follower_id as id from follows join users on users.id = follower_id
      where is_follower_suspended <> users.is_suspended`,
  },
  {
    name: 'follows.is_creator_suspended',
    sql: `select follows.creator_id as id from follows join users on users.id = follows.creator_id
      left join suspended_stars as stars on stars.creator_id = follows.creator_id
      where is_creator_suspended <>
        case when stars.creator_id is null then users.is_suspended else 0 end`,
  },
]
