import type { Migration } from './words.ts'

export const social: Migration = {
  name: 'social',
  up: ({ int, text, key, clustered }) => [
    ...['likes', 'bookmarks'].flatMap((table) => [
      `create table ${table} (
        content_id ${key} not null references contents (id),
        user_id ${key} not null references users (id),
        created_at ${int} not null,
        primary key (content_id, user_id)
      ) ${clustered}`,
      `create index ${table}_by_user on ${table} (user_id, created_at, content_id)`,
    ]),

    `create table follows (
      creator_id ${key} not null references users (id),
      follower_id ${key} not null references users (id),
      created_at ${int} not null,
      primary key (creator_id, follower_id),
      check (creator_id <> follower_id)
    ) ${clustered}`,
    `create index follows_by_creator on follows (creator_id, created_at, follower_id)`,
    `create index follows_by_follower on follows (follower_id, created_at, creator_id)`,

    `create table comments (
      id ${key} primary key,
      content_id ${key} not null references contents (id),
      parent_id ${key} references comments (id),
      root_id ${key} references comments (id),
      author_id ${key} not null references users (id),
      body ${text} not null,
      is_deleted ${int} not null check (is_deleted in (0, 1)),
      is_listed ${int} not null check (is_listed in (0, 1)),
      reply_count ${int} not null default 0 check (reply_count >= 0),
      listed_reply_count ${int} not null default 0 check (listed_reply_count >= reply_count),
      created_at ${int} not null,
      updated_at ${int} not null,
      check ((parent_id is null) = (root_id is null)),
      check (is_deleted = 1 or is_listed = 1),
      check (is_deleted = 0 or body = '')
    ) ${clustered}`,
    `create index comments_listed on comments (content_id, id) where is_listed = 1`,
    `create index comments_top on comments (content_id, parent_id, id) where is_listed = 1 and parent_id is null`,
    `create index comments_replies on comments (parent_id, id) where is_listed = 1 and parent_id is not null`,
    `create index comments_by_author on comments (author_id) where is_deleted = 0`,
  ],
}
