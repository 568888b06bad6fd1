import type { Migration } from './words.ts'

/**
 * Adds columns to an index, so that PostgreSQL can sum the counts of thousands of followed users from the
 * index alone.
 */
export const coveredCounts: Migration = {
  name: 'covered counts',
  up: ({ coveringKey }) =>
    coveringKey({
      table: 'user_counts',
      key: 'user_id',
      columns: 'content_count, hype_count, swipe_count, jump_count',
    }),
}
