import type { Migration } from './words.ts'

export const jobTurns: Migration = {
  name: 'job turns',
  up: ({ int, key, clustered }) => [
    `alter table jobs add column owner_id ${key} not null default ''`,
    `alter table jobs add column queue ${key} not null default 'short' check (queue in ('short', 'long'))`,
    `alter table jobs add column expected_ms ${int} not null default 0 check (expected_ms >= 0)`,
    `alter table jobs add column cpu_ms ${int} not null default 0 check (cpu_ms >= 0)`,
    `update jobs set owner_id = coalesce((select creator_id from contents where id = subject), '')
      where kind = 'thumbnail'`,
    `update jobs set queue = 'long', owner_id = coalesce((
        select min(contents.creator_id) from content_media
        join contents on contents.id = content_media.content_id
        where content_media.file_sha256 = subject), '')
      where kind = 'conversion'`,
    `drop index jobs_due`,
    `create index jobs_waiting on jobs (kind, queue, owner_id, expected_ms, id, due_at)
      where due_at is not null`,
    `create table job_turns (
      kind ${key} not null,
      queue ${key} not null,
      owner_id ${key} not null,
      turn ${int} not null,
      primary key (kind, queue, owner_id)
    ) ${clustered}`,
    `create index job_turns_by_turn on job_turns (kind, queue, turn)`,
    `create table job_usage (
      owner_id ${key} primary key,
      day ${int} not null,
      used_ms ${int} not null check (used_ms >= 0)
    ) ${clustered}`,
  ],
}
