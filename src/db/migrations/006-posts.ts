import type { Migration } from './words.ts'

export const posts: Migration = {
  name: 'posts',
  up: ({ int, text, key, clustered }) => [
    `create table posts (
      id ${key} primary key,
      author_id ${key} not null references users (id),
      body ${text} not null,
      parent_id ${key} references posts (id),
      root_id ${key} references posts (id),
      last_reply_id ${key},
      reply_count ${int} not null default 0 check (reply_count >= 0),
      listed_reply_count ${int} not null default 0 check (listed_reply_count >= reply_count),
      like_count ${int} not null default 0 check (like_count >= 0),
      is_deleted ${int} not null check (is_deleted in (0, 1)),
      is_listed ${int} not null check (is_listed in (0, 1)),
      created_at ${int} not null,
      check ((parent_id is null) = (root_id is null)),
      check (is_deleted = 1 or is_listed = 1),
      check (is_deleted = 0 or body = '')
    ) ${clustered}`,
    `create index posts_timeline on posts (id) where parent_id is null and is_deleted = 0`,
    `create index posts_by_author on posts (author_id, id) where is_deleted = 0`,
    `create index posts_replies on posts (parent_id, id) where is_listed = 1 and parent_id is not null`,

    `create table post_likes (
      post_id ${key} not null references posts (id),
      user_id ${key} not null references users (id),
      created_at ${int} not null,
      primary key (post_id, user_id)
    ) ${clustered}`,
    `create index post_likes_by_user on post_likes (user_id, created_at, post_id)`,

    `create table post_timeline (
      id ${int} primary key check (id = 1),
      last_post_id ${key}
    ) ${clustered}`,
    `insert into post_timeline (id, last_post_id) values (1, null)`,
  ],
}
