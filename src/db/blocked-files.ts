/**
 * SQL conditions on blocked files. A file is blocked while `hidden_subjects` has a row with the file's hash. When no
 * file is blocked, each condition costs one look-up per statement.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Flag } from './flag.ts'

const IS_ANY_BLOCKED = sql`exists (select 1 from hidden_subjects where length(subject_id) = 64)`

/** Returns SQL for a flag: 1 while the file with this hash is blocked. */
export function isFileBlocked(sha256: RawBuilder<unknown>): RawBuilder<Flag> {
  return sql`case when ${IS_ANY_BLOCKED} and exists (select 1 from hidden_subjects as blocked
    where blocked.subject_id = ${sha256}) then 1 else 0 end`
}

/** Returns SQL for the hash in the URL of a file: the 64 characters after `/uploads/`. */
export function hashInUrl(url: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`substr(${url}, 10, 64)`
}

/**
 * SQL for the hashes of a content item's blocked files, separated by spaces; null without any. Includes the picture
 * that the server made from a blocked game.
 */
export const BLOCKED_FILES: RawBuilder<string | null> = sql`case when ${IS_ANY_BLOCKED} then (
  select string_agg(blocked.subject_id, ' ') from hidden_subjects as blocked
  where blocked.subject_id in (
    select media.file_sha256 from content_media as media where media.content_id = contents.id
    union all select ${hashInUrl(sql`contents.thumbnail_url`)})
  ) || case when contents.type = 'game' and contents.thumbnail_upload_id is null
    then coalesce(' ' || ${hashInUrl(sql`contents.thumbnail_url`)}, '') else '' end end`
