import type { Migration } from './words.ts'

/**
 * Adds the type of each content to its counts, and an index of a creator's popular content. Both indexes of a
 * creator's content contain category and type, so that a list with a filter skips and counts rows inside the index.
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
