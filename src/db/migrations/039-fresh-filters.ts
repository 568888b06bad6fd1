import type { Migration } from './words.ts'

/**
 * Adds the function `wants_notification` on PostgreSQL. It returns false when the recipient blocked or muted the actor,
 * or when the actor blocked the recipient. The function is volatile, so it sees changes that other transactions
 * committed while its statement waited for a lock.
 */
export const freshFilters: Migration = {
  name: 'fresh filters',
  up: ({ freshFunction }) =>
    freshFunction({
      name: 'wants_notification',
      params: 'recipient text, actor text',
      returns: `not exists (select 1 from user_filters
          where user_id = recipient and filtered_id = actor)
        and not exists (select 1 from user_filters
          where user_id = actor and filtered_id = recipient and blocked_at is not null)`,
    }),
}
