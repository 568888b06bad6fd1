import { addToContent } from './027-counts.ts'
import type { Migration } from './words.ts'

const JOB_COLUMNS = `id, kind, subject, status, progress, error, attempts, due_at, lease, created_at,
  updated_at, owner_id, queue, expected_ms, cpu_ms`

/**
 * Adds exports, and the erasure of contents and accounts. `was_public` distinguishes a restored content item from
 * drafts that were never public. The table `jobs` no longer checks the kind, so that further kinds need no migration.
 */
export const erasure: Migration = {
  name: 'erasure',
  up: ({ int, text, key, clustered, plain }) => [
    `alter table jobs rename to former_jobs`,
    `create table kept_jobs as select ${JOB_COLUMNS} from former_jobs`,
    `drop table former_jobs`,
    `create table jobs (
      id ${key} primary key,
      kind ${key} not null,
      subject ${key} not null,
      status ${text} not null check (status in ('queued', 'processing', 'completed', 'failed')),
      progress ${int} not null default 0 check (progress between 0 and 1000),
      error ${text},
      attempts ${int} not null default 0 check (attempts >= 0),
      due_at ${int},
      lease ${text},
      created_at ${int} not null,
      updated_at ${int} not null,
      owner_id ${key} not null default '',
      queue ${key} not null default 'short' check (queue in ('short', 'long')),
      expected_ms ${int} not null default 0 check (expected_ms >= 0),
      cpu_ms ${int} not null default 0 check (cpu_ms >= 0),
      unique (kind, subject),
      check ((due_at is not null) = (status in ('queued', 'processing'))),
      check ((lease is not null) = (status = 'processing')),
      check ((error is not null) = (status = 'failed'))
    ) ${clustered}`,
    `insert into jobs (${JOB_COLUMNS}) select ${JOB_COLUMNS} from kept_jobs`,
    `drop table kept_jobs`,
    `create index jobs_waiting on jobs (kind, queue, owner_id, expected_ms, id, due_at)
      where due_at is not null`,

    `alter table content_stats add column was_public ${int} not null default 0
      check (was_public in (0, 1))`,
    `update content_stats set was_public = 1 where published_at is not null`,
    `drop index content_stats_hidden`,
    `create index content_stats_hidden on content_stats (content_id)
      where is_public = 0 and was_public = 1`,

    `alter table users add column erased_at ${int}`,
    // Adds the user who owns contents during their erasure. The user's id is the greatest possible one.
    `insert into users (id, handle, email, email_key, password_hash, display_name, role, tier,
      is_suspended, created_at, search_text, erased_at)
      values ('usr_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'deleted_000000000000', '',
        'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz', '', '', 'user', 'regular', 0, 0, '', 0)`,
    `insert into user_counts (user_id) values ('usr_7zzzzzzzzzzzzzzzzzzzzzzzzz')`,
    `insert into notification_counts (user_id, total, unread, read_up_to)
      values ('usr_7zzzzzzzzzzzzzzzzzzzzzzzzz', 0, 0, '')`,

    `create table erasures (
      id ${key} primary key,
      erased_at ${int} not null
    ) ${clustered}`,
    `create index erasures_by_time on erasures (erased_at, id)`,

    `create table reserved_handles (
      handle_hash ${key} primary key
    ) ${clustered}`,

    `create table deletions (
      user_id ${key} primary key references users (id),
      contents ${text} not null check (contents in ('erase', 'keep')),
      texts ${text} not null check (texts in ('erase', 'keep')),
      requested_at ${int} not null,
      due_at ${int},
      language ${text} not null
    ) ${clustered}`,
    `create index deletions_due on deletions (due_at) where due_at is not null`,

    `create table removed_files (
      sha256 ${key} primary key,
      path ${text} not null,
      thumbnail_path ${text},
      removed_at ${int} not null
    ) ${clustered}`,

    `create table exports (
      id ${key} primary key,
      user_id ${key} not null references users (id),
      status ${text} not null
        check (status in ('queued', 'processing', 'completed', 'failed', 'expired')),
      with_files ${int} not null check (with_files in (0, 1)),
      language ${text} not null,
      path ${text},
      size_bytes ${int},
      error ${text},
      created_at ${int} not null,
      expires_at ${int},
      deleted_at ${int}
    ) ${plain}`,
    `create index exports_by_user on exports (user_id, id)`,
    `create index exports_by_end on exports (expires_at) where path is not null`,

    // Erasure searches notifications by actor, and by actor and subject.
    `create index notifications_by_actor on notifications (actor_id, subject_id)`,
    `create index comments_unlisted on comments (content_id, id) where is_listed = 0`,
    `create index uploads_by_owner on uploads (owner_id, id)`,
  ],
  triggers: ({ trigger }) =>
    trigger({
      name: 'play_removed',
      after: 'delete on plays',
      run: addToContent('old.game_id', { play_count: '-1' }),
    }),
}
