import type { Migration } from './words.ts'

/**
 * Adds blocks and mutes between users, `dm_policy`, message requests, conversations that a user left, and deleted
 * messages.
 */
export const blocks: Migration = {
  name: 'blocks',
  up: ({ int, key, clustered }) => [
    `create table user_filters (
      user_id ${key} not null references users (id),
      filtered_id ${key} not null references users (id),
      blocked_at ${int},
      muted_at ${int},
      primary key (user_id, filtered_id),
      check (user_id <> filtered_id),
      check (blocked_at is not null or muted_at is not null)
    ) ${clustered}`,
    `create index user_filters_blocked on user_filters (user_id, blocked_at, filtered_id)
      where blocked_at is not null`,
    `create index user_filters_muted on user_filters (user_id, muted_at, filtered_id)
      where muted_at is not null`,

    `alter table users add column dm_policy ${key} not null default 'everyone'
      check (dm_policy in ('everyone', 'requests', 'following', 'nobody'))`,

    `alter table conversation_members add column state ${key} not null default 'accepted'
      check (state in ('accepted', 'request'))`,
    `alter table conversation_members add column cleared_up_to ${key} not null default ''`,
    `drop index conversation_members_latest`,
    `create index conversation_members_latest
      on conversation_members (user_id, state, updated_at, conversation_id) where is_listed = 1`,
    `create index conversation_members_unread on conversation_members (user_id, unread_count)
      where state = 'accepted' and unread_count > 0`,

    `alter table messages add column is_deleted ${int} not null default 0
      check (is_deleted in (0, 1))`,
  ],
}
