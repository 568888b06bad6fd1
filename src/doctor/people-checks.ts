/** What is stored twice of people and of who follows whom. */
import { type Check, counted, paired } from './check.ts'

const people = (column: string, rows: string) => counted(column, 'user_counts', 'user_id', rows)

export const ofPeople: Check[] = [
  paired('user_counts', 'user_id', 'users'),
  people('follower_count', 'select creator_id as owner from follows'),
  people('following_count', 'select follower_id as owner from follows'),
  people('content_count', 'select creator_id as owner from content_stats where is_public = 1'),
  ...['hype', 'swipe', 'jump'].map((category) =>
    people(
      `${category}_count`,
      `select creator_id as owner from content_stats where is_public = 1 and category = '${category}'`,
    ),
  ),
  people(
    'suspended_follower_count',
    `select follows.creator_id as owner from follows
      join users on users.id = follows.follower_id where users.is_suspended = 1`,
  ),
  counted('total', 'member_total', 'id', 'select 1 as owner from users'),
  {
    name: 'suspended_stars: suspended',
    sql: `select creator_id as id from suspended_stars
      join users on users.id = creator_id where users.is_suspended = 0`,
  },
  {
    name: 'follows.is_follower_suspended',
    sql: `select follower_id as id from follows join users on users.id = follower_id
      where is_follower_suspended <> users.is_suspended`,
  },
  {
    name: 'follows.is_creator_suspended',
    sql: `select follows.creator_id as id from follows join users on users.id = follows.creator_id
      left join suspended_stars as stars on stars.creator_id = follows.creator_id
      where is_creator_suspended <>
        case when stars.creator_id is null then users.is_suspended else 0 end`,
  },
]
