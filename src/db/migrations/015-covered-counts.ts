import type { Migration } from './words.ts'

/** How many works each of thousands of followed people has, from an index without a step to their rows. */
export const coveredCounts: Migration = {
  name: 'covered counts',
  up: ({ coveringKey }) =>
    coveringKey({
      table: 'user_counts',
      key: 'user_id',
      columns: 'content_count, hype_count, swipe_count, jump_count',
    }),
}
