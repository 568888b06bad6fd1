import type { Migration } from './words.ts'

/** Lets PostgreSQL count the contents of thousands of followed users from an index alone. */
export const coveredCounts: Migration = {
  name: 'covered counts',
  up: ({ coveringKey }) =>
    coveringKey({
      table: 'user_counts',
      key: 'user_id',
      columns: 'content_count, hype_count, swipe_count, jump_count',
    }),
}
