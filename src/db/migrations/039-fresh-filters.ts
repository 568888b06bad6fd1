import type { Migration } from './words.ts'

/**
 * Adds `wants_notification` on PostgreSQL: true unless the recipient blocked or muted the actor, or the actor
 * blocked the recipient. The query of a volatile function sees what other transactions committed while its statement
 * waited for a lock; the statement itself does not.
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
