import type { Migration } from './words.ts'

export const notifications: Migration = {
  name: 'notifications',
  up: ({ int, text, key, clustered }) => [
    `create table notification_counts (
      user_id ${key} primary key references users (id),
      total ${int} not null check (total >= 0),
      unread ${int} not null check (unread >= 0 and unread <= total),
      read_up_to ${key} not null,
      last_notification_id ${key}
    ) ${clustered}`,

    `create table notifications (
      id ${key} primary key,
      user_id ${key} not null references users (id),
      type ${text} not null check (type in ('like', 'comment', 'follow', 'mention', 'system')),
      kind ${text} not null,
      actor_id ${key} not null,
      subject_id ${key} not null,
      params ${text} not null,
      link ${text},
      is_read ${int} not null check (is_read in (0, 1)),
      created_at ${int} not null,
      unique (user_id, type, actor_id, subject_id),
      check (user_id <> actor_id)
    ) ${clustered}`,
    `create index notifications_by_user on notifications (user_id, id)`,
    `create index notifications_unread on notifications (user_id, id) where is_read = 0`,
  ],
}
