import type { Migration } from './words.ts'

/** Adds the number of stored files to each file and to the storage usage of each user. */
export const fileCounts: Migration = {
  name: 'file counts',
  up: ({ int }) => [
    `alter table files add column file_count ${int} not null default 1 check (file_count >= 1)`,
    // A generated game thumbnail is one file, and its `thumbnail_path` equals its `path`. So it counts once.
    `update files set file_count = 1 + case when thumbnail_path <> path then 1 else 0 end
        + (select count(*) from bundle_files where bundle_sha256 = files.sha256)
      where thumbnail_path <> path
        or exists (select 1 from bundles where file_sha256 = files.sha256)`,
    `alter table storage_usage add column file_count ${int} not null default 0
      check (file_count >= 0)`,
    `update storage_usage set file_count = coalesce((select sum(files.file_count)
      from (select distinct file_sha256 from uploads where owner_id = storage_usage.user_id) as owned
      join files on files.sha256 = owned.file_sha256), 0)`,
  ],
}
