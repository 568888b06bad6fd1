import type { Migration } from './words.ts'

export const totals: Migration = {
  name: 'totals',
  up: ({ int, text, key, clustered }) => [
    `alter table content_tags add column category ${text} not null default ''`,
    `update content_tags set category =
      (select category from content_stats where content_stats.content_id = content_tags.content_id)`,
    `create index content_tags_latest_in on content_tags (tag, category, published_at, content_id)`,
    `create table tag_totals (
      tag ${key} not null,
      category ${key} not null,
      total ${int} not null,
      primary key (tag, category)
    ) ${clustered}`,
    `insert into tag_totals (tag, category, total)
      select tag, category, count(*) from content_tags group by tag, category`,

    // Lists of likes and bookmarks use this index to skip hidden content items.
    `create index content_stats_hidden on content_stats (content_id)
      where is_public = 0 and published_at is not null`,

    // Puts `id` before `parent_id`. In the reverse order, PostgreSQL would sort the rows, although `parent_id` is
    // always null here.
    `drop index comments_top`,
    `create index comments_top on comments (content_id, id, parent_id)
      where is_listed = 1 and parent_id is null`,

    ...['hype', 'swipe', 'jump'].map(
      (category) =>
        `alter table user_counts add column ${category}_count ${int} not null default 0 check (${category}_count >= 0)`,
    ),
    `alter table user_counts add column suspended_follower_count ${int} not null default 0 check (suspended_follower_count >= 0)`,
    `update user_counts set
      hype_count = coalesce((select count(*) from content_stats
        where creator_id = user_id and category = 'hype' and is_public = 1), 0),
      swipe_count = coalesce((select count(*) from content_stats
        where creator_id = user_id and category = 'swipe' and is_public = 1), 0),
      jump_count = coalesce((select count(*) from content_stats
        where creator_id = user_id and category = 'jump' and is_public = 1), 0)
      where content_count > 0`,
    `update user_counts set suspended_follower_count =
      (select count(*) from users join follows on follows.follower_id = users.id
        where users.is_suspended = 1 and follows.creator_id = user_counts.user_id)
      where user_id in (select creator_id from follows
        where follower_id in (select id from users where is_suspended = 1))`,

    `alter table webhooks add column ended_count ${int} not null default 0 check (ended_count >= 0)`,
    `update webhooks set ended_count = (select count(*) from webhook_deliveries
      where webhook_id = webhooks.id and ended_at is not null)`,

    `create table member_total (
      id ${int} primary key check (id = 1),
      total ${int} not null check (total >= 0)
    ) ${clustered}`,
    `insert into member_total (id, total) select 1, count(*) from users`,
    // `created_at` comes first, so that PostgreSQL does not use this index to look up single ids.
    `create index users_search on users (created_at, id, search_text)`,
  ],
}
