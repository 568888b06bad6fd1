import type { Migration } from './words.ts'

/**
 * Copies the type of each content item to `content_stats`, and adds an index of a creator's popular content. This
 * index and that of the latest content contain category and type, so filtered lists read nothing else.
 */
export const creatorLists: Migration = {
  name: 'creator lists',
  up: ({ key }) => [
    `alter table content_stats add column type ${key} not null default ''`,
    `update content_stats set type = (select type from contents where id = content_id)`,
    `drop index content_stats_by_creator`,
    `create index content_stats_by_creator on content_stats
      (creator_id, published_at, content_id, category, type) where is_public = 1`,
    `create index content_stats_by_creator_hot on content_stats
      (creator_id, hot_score, content_id, category, type) where is_public = 1`,
  ],
}
