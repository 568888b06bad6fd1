import type { Migration } from './words.ts'

export const media: Migration = {
  name: 'media',
  up: ({ int, text, key, clustered }) => [
    `create table files (
      sha256 ${key} primary key check (length(sha256) = 64),
      path ${text} not null unique,
      mime_type ${text} not null,
      size_bytes ${int} not null check (size_bytes > 0),
      width ${int} check (width > 0),
      height ${int} check (height > 0),
      duration_ms ${int} check (duration_ms >= 0),
      thumbnail_path ${text},
      created_at ${int} not null
    ) ${clustered}`,

    `create table uploads (
      id ${key} primary key,
      owner_id ${key} not null references users (id),
      file_sha256 ${key} not null references files (sha256),
      created_at ${int} not null
    ) ${clustered}`,

    `alter table contents add column media ${text} not null default '[]'`,
    `alter table contents add column thumbnail_upload_id ${key} references uploads (id)`,
    `create table content_media (
      content_id ${key} not null references contents (id),
      position ${int} not null check (position >= 0),
      upload_id ${key} not null references uploads (id),
      file_sha256 ${key} not null references files (sha256),
      primary key (content_id, position)
    ) ${clustered}`,
    `create index content_media_by_file on content_media (file_sha256, content_id)`,

    `create table jobs (
      id ${key} primary key,
      kind ${key} not null check (kind in ('conversion', 'thumbnail')),
      subject ${key} not null,
      status ${text} not null check (status in ('queued', 'processing', 'completed', 'failed')),
      progress ${int} not null default 0 check (progress between 0 and 1000),
      error ${text},
      attempts ${int} not null default 0 check (attempts >= 0),
      due_at ${int},
      lease ${text},
      created_at ${int} not null,
      updated_at ${int} not null,
      unique (kind, subject),
      check ((due_at is not null) = (status in ('queued', 'processing'))),
      check ((lease is not null) = (status = 'processing')),
      check ((error is not null) = (status = 'failed'))
    ) ${clustered}`,
    `create index jobs_due on jobs (kind, due_at) where due_at is not null`,

    `create table renditions (
      file_sha256 ${key} not null references files (sha256),
      position ${int} not null check (position >= 0),
      path ${text} not null unique,
      mime_type ${text} not null,
      width ${int} check (width > 0),
      height ${int} check (height > 0),
      primary key (file_sha256, position)
    ) ${clustered}`,
  ],
}
