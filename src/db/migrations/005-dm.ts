import type { Migration } from './words.ts'

export const dm: Migration = {
  name: 'dm',
  up: ({ int, text, key, clustered }) => [
    `create table conversations (
      id ${key} primary key,
      user_low ${key} not null references users (id),
      user_high ${key} not null references users (id),
      last_message_id ${key},
      created_at ${int} not null,
      updated_at ${int} not null,
      unique (user_low, user_high),
      check (user_low < user_high)
    ) ${clustered}`,

    `create table conversation_members (
      conversation_id ${key} not null references conversations (id),
      user_id ${key} not null references users (id),
      peer_id ${key} not null references users (id),
      is_listed ${int} not null check (is_listed in (0, 1)),
      unread_count ${int} not null check (unread_count >= 0),
      read_up_to ${key} not null,
      updated_at ${int} not null,
      primary key (conversation_id, user_id)
    ) ${clustered}`,
    `create index conversation_members_latest on conversation_members (user_id, updated_at, conversation_id) where is_listed = 1`,

    `create table messages (
      id ${key} primary key,
      conversation_id ${key} not null references conversations (id),
      sender_id ${key} not null references users (id),
      body ${text} not null,
      client_message_id ${key},
      created_at ${int} not null
    ) ${clustered}`,
    `create index messages_by_conversation on messages (conversation_id, id)`,
    `create unique index messages_by_client_id on messages (conversation_id, sender_id, client_message_id) where client_message_id is not null`,
  ],
}
