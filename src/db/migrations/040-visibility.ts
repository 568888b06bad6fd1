import type { Migration } from './words.ts'

/**
 * Adds the visibility, warnings and embedding of content, scheduled publication, the content filters of viewers, and
 * `is_indexed` of users. The feed `following` uses the indexes `content_stats_followed` and
 * `content_stats_followed_in`. `content_stats_hidden` no longer requires `was_public`, because unlisted content can
 * also have likes.
 */
export const visibility: Migration = {
  name: 'visibility',
  up: ({ int, text, key }) => [
    `alter table contents add column visibility ${text} not null default 'public'
      check (visibility in ('public', 'unlisted', 'followers'))`,
    `alter table contents add column publish_at ${int}`,
    `alter table contents add column warnings ${text} not null default '[]'`,
    `alter table contents add column warning_text ${text}`,
    `alter table contents add column embedding ${text} not null default 'everywhere'
      check (embedding in ('everywhere', 'nowhere'))`,
    `create index contents_scheduled on contents (publish_at, id)
      where publish_at is not null and status = 'draft'`,

    `alter table content_stats add column shared_with ${key}
      check (shared_with in ('anyone', 'followers'))`,
    `create index content_stats_followed on content_stats (creator_id, published_at, content_id)
      where is_public = 1 or shared_with = 'followers'`,
    `drop index content_stats_by_creator_in`,
    `create index content_stats_followed_in on content_stats
      (creator_id, category, published_at, content_id)
      where is_public = 1 or shared_with = 'followers'`,
    `drop index content_stats_hidden`,
    `create index content_stats_hidden on content_stats (content_id)
      where is_public = 0 and (like_count > 0 or bookmark_count > 0)`,

    `alter table users add column adult_filter ${key} not null default 'blur'
      check (adult_filter in ('hide', 'blur', 'show'))`,
    `alter table users add column flashing_filter ${key} not null default 'blur'
      check (flashing_filter in ('blur', 'show'))`,
    `alter table users add column is_indexed ${int} not null default 1
      check (is_indexed in (0, 1))`,
  ],
}
