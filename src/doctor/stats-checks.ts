import type { Check } from './check.ts'

const dayOf = 'created_at / 86400000'

/**
 * Returns a check that `column` of the daily statistics in `table` equals the number of rows that `acts` selects for
 * the same `owner` and `day`. The column `key` contains the owner, which is the id of a content item or creator.
 */
function byDay(table: string, key: string, column: string, acts: string): Check {
  return {
    name: `${table}.${column}`,
    sql: `select coalesce(stored.${key}, counted.owner) as id from ${table} as stored
      full join (select owner, day, count(*) as n from (${acts}) as acts group by owner, day)
        as counted on counted.owner = stored.${key} and counted.day = stored.day
      where coalesce(stored.${column}, 0) <> coalesce(counted.n, 0)`,
  }
}

const content = (column: string, key: string, rows: string) =>
  byDay(
    'content_days',
    'content_id',
    column,
    `select ${key} as owner, ${dayOf} as day from ${rows}`,
  )

export const ofStats: Check[] = [
  content('likes', 'content_id', 'likes'),
  content('plays', 'game_id', 'plays'),
  content('comments', 'content_id', 'comments where is_deleted = 0'),
  content('follows', 'content_id', 'follows where content_id is not null'),
  byDay(
    'follower_days',
    'creator_id',
    'follows',
    `select creator_id as owner, ${dayOf} as day from follows`,
  ),
  {
    name: 'content_days.views: add up to the view count',
    sql: `select stats.content_id as id from content_stats as stats
      left join (select content_id, sum(views) as n from content_days group by content_id)
        as counted on counted.content_id = stats.content_id
      where stats.view_count <> coalesce(counted.n, 0)`,
  },
  {
    name: 'content_days.creator_id: the creator of the content',
    sql: `select stats.content_id as id from content_stats as stats
      join content_days as days on days.content_id = stats.content_id
      where days.creator_id <> stats.creator_id`,
  },
]
