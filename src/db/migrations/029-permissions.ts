import type { Migration } from './words.ts'

/** Adds permissions to users, and lets audit entries have targets other than users. */
export const permissions: Migration = {
  name: 'permissions',
  up: ({ int, key, text, clustered, plain }) => [
    `alter table users add column permissions ${text} not null default '[]'`,

    // SQLite cannot drop a foreign key, so the table is copied.
    `create table audit_copy (
      id ${key} primary key,
      actor_id ${key} references users (id),
      target_kind ${text} not null,
      target_id ${key} not null,
      action ${key} not null,
      before ${text} not null,
      after ${text} not null,
      reason ${text},
      request_id ${text},
      created_at ${int} not null
    ) ${plain}`,
    `insert into audit_copy
      select id, actor_id, 'user', target_id, action, before, after, reason, request_id, created_at
      from audit_entries`,
    `drop table audit_entries`,
    `alter table audit_copy rename to audit_entries`,
    `create index audit_entries_by_target on audit_entries (target_id, id)`,
    `create index audit_entries_by_actor on audit_entries (actor_id, id)`,
    `create index audit_entries_by_action on audit_entries (action, id)`,

    `create table audit_totals (
      action ${key} primary key,
      total ${int} not null check (total >= 0)
    ) ${clustered}`,
    `insert into audit_totals (action, total)
      select action, count(*) from audit_entries group by action`,
  ],
  triggers: ({ trigger }) =>
    trigger({
      name: 'audit_entries_counted',
      after: 'insert on audit_entries',
      run: `insert into audit_totals (action, total) values (new.action, 1)
        on conflict (action) do update set total = audit_totals.total + 1`,
    }),
}
