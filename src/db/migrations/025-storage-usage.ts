import type { Migration } from './words.ts'

/**
 * Adds the storage usage of each user. The sizes of older thumbnails and renditions are unknown here, so the
 * server measures them later (see `is_measured`).
 */
export const storageUsage: Migration = {
  name: 'storage usage',
  up: ({ int, key, clustered }) => [
    ...['stored_bytes', 'rendition_bytes'].map(
      (column) =>
        `alter table files add column ${column} ${int} not null default 0 check (${column} >= 0)`,
    ),
    `alter table files add column is_measured ${int} not null default 0
      check (is_measured in (0, 1))`,
    `update files set stored_bytes = size_bytes + coalesce(
      (select sum(size_bytes) from bundle_files where bundle_sha256 = files.sha256), 0)`,
    `create index files_unmeasured on files (sha256) where is_measured = 0`,

    // Generated game thumbnails count towards the usage of the game's author, so they become uploads.
    `insert into uploads (id, owner_id, file_sha256, created_at)
      select 'upl_' || substr(min(contents.id), 5), contents.creator_id, files.sha256, files.created_at
      from contents join files on contents.thumbnail_url = '/uploads/' || files.path
      where contents.thumbnail_upload_id is null and files.thumbnail_path = files.path
        and not exists (select 1 from uploads
          where file_sha256 = files.sha256 and owner_id = contents.creator_id)
      group by contents.creator_id, files.sha256, files.created_at`,
    `create index uploads_by_file on uploads (file_sha256, owner_id)`,

    `create table storage_usage (
      user_id ${key} primary key references users (id),
      used_bytes ${int} not null check (used_bytes >= 0)
    ) ${clustered}`,
    `insert into storage_usage (user_id, used_bytes)
      select owned.owner_id, sum(files.stored_bytes)
      from (select distinct owner_id, file_sha256 from uploads) as owned
      join files on files.sha256 = owned.file_sha256
      group by owned.owner_id`,
  ],
}
