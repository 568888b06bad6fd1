import type { Migration } from './words.ts'

/**
 * Adds smaller versions of pictures. For existing avatars, jobs make them after the migration
 * (`thumbnails/sizes.ts`).
 */
export const pictureSizes: Migration = {
  name: 'picture sizes',
  up: ({ int, text, key, clustered }) => [
    `create table picture_sizes (
      file_sha256 ${key} not null references files (sha256),
      width ${int} not null check (width > 0),
      mime_type ${key} not null,
      height ${int} not null check (height > 0),
      path ${text} not null unique,
      size_bytes ${int} not null check (size_bytes > 0),
      primary key (file_sha256, width, mime_type)
    ) ${clustered}`,
    `alter table users add column avatar_sizes ${text}`,
    `create index users_without_avatar_sizes on users (id)
      where avatar_url is not null and avatar_sizes is null`,
  ],
}
