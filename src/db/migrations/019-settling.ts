import type { Migration } from './words.ts'

const COLUMNS =
  'id, kind, subject, status, progress, error, attempts, due_at, lease, created_at, updated_at'

/**
 * Adds the job kind `settling`. The transaction that ends a conversion updates only the first content items that use
 * the file, and a `settling` job updates the others. Recreates the table, because SQLite cannot change a check
 * constraint. Copies the rows to a temporary table first, because the new indexes reuse the old names.
 */
export const settling: Migration = {
  name: 'settling',
  up: ({ int, text, key, clustered }) => [
    // Renames the table first. Other running processes then cannot write to it, so the copy misses no rows.
    `alter table jobs rename to former_jobs`,
    `create table kept_jobs as select ${COLUMNS} from former_jobs`,
    `drop table former_jobs`,
    `create table jobs (
      id ${key} primary key,
      kind ${key} not null check (kind in ('conversion', 'settling', 'thumbnail')),
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
    `insert into jobs (${COLUMNS}) select ${COLUMNS} from kept_jobs`,
    `drop table kept_jobs`,
    `create index jobs_due on jobs (kind, due_at) where due_at is not null`,
  ],
}
