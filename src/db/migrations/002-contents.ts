import type { Migration } from './words.ts'

export const contents: Migration = {
  name: 'contents',
  up: ({ int, real, text, key, clustered }) => [
    `create table contents (
      id ${key} primary key,
      creator_id ${key} not null references users (id),
      category ${text} not null,
      type ${text} not null,
      title ${text} not null,
      description ${text},
      tags ${text} not null,
      status ${text} not null check (status in ('draft', 'processing', 'published', 'archived')),
      thumbnail_url ${text},
      game ${text},
      published_at ${int},
      created_at ${int} not null,
      updated_at ${int} not null,
      check (
        (category = 'hype' and type in ('video', 'image', 'audio', 'article')) or
        (category = 'swipe' and type in ('video', 'image')) or
        (category = 'jump' and type = 'game')
      ),
      check (status <> 'published' or published_at is not null)
    ) ${clustered}`,
    `create index contents_by_creator on contents (creator_id, id) where status <> 'archived'`,
    `create index contents_by_creator_status on contents (creator_id, status, id)`,

    `create table content_texts (
      content_id ${key} primary key references contents (id),
      body ${text} not null
    ) ${clustered}`,

    `create table content_stats (
      content_id ${key} primary key references contents (id),
      creator_id ${key} not null,
      category ${key} not null,
      is_public ${int} not null check (is_public in (0, 1)),
      published_at ${int},
      like_count ${int} not null default 0 check (like_count >= 0),
      bookmark_count ${int} not null default 0 check (bookmark_count >= 0),
      comment_count ${int} not null default 0 check (comment_count >= 0),
      listed_comment_count ${int} not null default 0 check (listed_comment_count >= comment_count),
      top_comment_count ${int} not null default 0 check (top_comment_count >= 0),
      view_count ${int} not null default 0 check (view_count >= 0),
      play_count ${int} not null default 0 check (play_count >= 0),
      hot_score ${real} not null default 0,
      last_comment_id ${key},
      check (is_public = 0 or published_at is not null)
    ) ${clustered}`,
    `create index content_stats_latest on content_stats (published_at, content_id) where is_public = 1`,
    `create index content_stats_latest_in on content_stats (category, published_at, content_id) where is_public = 1`,
    `create index content_stats_hot on content_stats (hot_score, content_id) where is_public = 1`,
    `create index content_stats_hot_in on content_stats (category, hot_score, content_id) where is_public = 1`,
    `create index content_stats_by_creator on content_stats (creator_id, published_at, content_id) where is_public = 1`,
    `create index content_stats_by_creator_in on content_stats (creator_id, category, published_at, content_id) where is_public = 1`,

    `create table content_tags (
      tag ${key} not null,
      content_id ${key} not null references contents (id),
      published_at ${int} not null,
      primary key (tag, content_id)
    ) ${clustered}`,
    `create index content_tags_latest on content_tags (tag, published_at, content_id)`,
    `create index content_tags_by_content on content_tags (content_id)`,

    `create table category_totals (
      category ${key} primary key,
      total ${int} not null check (total >= 0)
    ) ${clustered}`,
    `insert into category_totals (category, total) values ('hype', 0), ('swipe', 0), ('jump', 0)`,

    `create table content_views (
      content_id ${key} not null references contents (id),
      viewer ${key} not null,
      hour ${int} not null,
      primary key (content_id, viewer, hour)
    ) ${clustered}`,
    `create index content_views_by_hour on content_views (hour)`,
  ],
}
