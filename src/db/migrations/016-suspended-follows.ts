import type { Migration } from './words.ts'

/**
 * Marks follows whose follower or creator is suspended, so that lists need not check each user. Suspended creators
 * with more than 1000 followers are in `suspended_stars` instead.
 */
export const suspendedFollows: Migration = {
  name: 'suspended follows',
  up: ({ int, key, clustered }) => [
    `create table suspended_stars (
      creator_id ${key} primary key references users (id)
    ) ${clustered}`,
    `insert into suspended_stars (creator_id)
      select users.id from users join user_counts as counts on counts.user_id = users.id
      where users.is_suspended = 1 and counts.follower_count > 1000`,

    ...['follower', 'creator'].map(
      (side) =>
        `alter table follows add column is_${side}_suspended ${int} not null default 0
          check (is_${side}_suspended in (0, 1))`,
    ),
    `update follows set is_follower_suspended = 1
      where follower_id in (select id from users where is_suspended = 1)`,
    `update follows set is_creator_suspended = 1
      where creator_id in (select id from users where is_suspended = 1)
        and creator_id not in (select creator_id from suspended_stars)`,
    `drop index follows_by_creator`,
    `create index follows_by_creator on follows (creator_id, created_at, follower_id)
      where is_follower_suspended = 0`,
    `create index follows_of_suspended on follows (follower_id) where is_creator_suspended = 1`,
  ],
}
