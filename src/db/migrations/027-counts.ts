import type { Migration } from './words.ts'

/** Frozen copies of the formulas in contents/rank.ts. Later changes there must not change this migration. */
const hotScore = (column: (name: string) => string) =>
  `coalesce(published_at, 0) / 45000000.0 + ln(cast(1 + (${column('like_count')})
    + 2 * (${column('bookmark_count')}) + 2 * (${column('comment_count')})
    + (${column('play_count')}) / 10.0 as double precision))`
const bucketOf = (row: string) => `cast(floor(${row}.hot_score * 8) as bigint)`

export function addToContent(
  contentId: string,
  changes: Record<string, string>,
  others = '',
): string {
  const column = (name: string) => (changes[name] ? `${name} + ${changes[name]}` : name)
  const counts = Object.keys(changes).map((name) => `${name} = ${column(name)}`)
  return `update content_stats set ${counts.join(', ')}${others}, hot_score = ${hotScore(column)}
    where content_id = ${contentId}`
}

const addToFollow = (row: 'new' | 'old', change: '+ 1' | '- 1') =>
  `update user_counts set
    follower_count = follower_count ${change} * (case when user_id = ${row}.creator_id then 1 else 0 end),
    following_count = following_count ${change} * (case when user_id = ${row}.follower_id then 1 else 0 end)
    where user_id in (${row}.creator_id, ${row}.follower_id)`

const top = (row: 'new' | 'old') => `(case when ${row}.parent_id is null then 1 else 0 end)`

/**
 * Lets triggers change the counts and scores, so that no statement can forget them. A statement that causes such a
 * change must first lock the row with the count. Also renames the column `heat` to `score_bucket`.
 */
export const counts: Migration = {
  name: 'counts',
  up: ({ dropTrigger }) => [
    dropTrigger('content_tags_heat', 'content_stats'),
    `alter table content_tags rename column heat to score_bucket`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'content_stats_scored',
      after: 'update of hot_score on content_stats',
      when: `${bucketOf('new')} <> ${bucketOf('old')}`,
      run: `update content_tags set score_bucket = ${bucketOf('new')} where content_id = new.content_id`,
    }),
    ...['like', 'bookmark'].flatMap((reaction) => [
      ...trigger({
        name: `${reaction}_added`,
        after: `insert on ${reaction}s`,
        run: addToContent('new.content_id', { [`${reaction}_count`]: '1' }),
      }),
      ...trigger({
        name: `${reaction}_removed`,
        after: `delete on ${reaction}s`,
        run: addToContent('old.content_id', { [`${reaction}_count`]: '-1' }),
      }),
    ]),
    ...trigger({
      name: 'play_added',
      after: 'insert on plays',
      run: addToContent('new.game_id', { play_count: '1' }),
    }),
    ...trigger({
      name: 'comment_added',
      after: 'insert on comments',
      run: addToContent(
        'new.content_id',
        {
          comment_count: '1 - new.is_deleted',
          listed_comment_count: 'new.is_listed',
          top_comment_count: `new.is_listed * ${top('new')}`,
        },
        ', last_comment_id = new.id',
      ),
    }),
    ...trigger({
      name: 'comment_removed',
      after: 'update of is_deleted, is_listed on comments',
      when: 'new.is_deleted <> old.is_deleted or new.is_listed <> old.is_listed',
      run: addToContent('new.content_id', {
        comment_count: 'old.is_deleted - new.is_deleted',
        listed_comment_count: 'new.is_listed - old.is_listed',
        top_comment_count: `(new.is_listed - old.is_listed) * ${top('new')}`,
      }),
    }),
    ...trigger({
      name: 'follow_added',
      after: 'insert on follows',
      run: addToFollow('new', '+ 1'),
    }),
    ...trigger({
      name: 'follow_removed',
      after: 'delete on follows',
      run: addToFollow('old', '- 1'),
    }),
    ...trigger({
      name: 'notification_added',
      after: 'insert on notifications',
      run: `update notification_counts set total = total + 1, unread = unread + 1,
        last_notification_id = new.id where user_id = new.user_id`,
    }),
    ...trigger({
      name: 'notification_removed',
      after: 'delete on notifications',
      run: `update notification_counts set total = total - 1,
        unread = unread - (case when old.is_read = 0 and old.id > read_up_to then 1 else 0 end)
        where user_id = old.user_id`,
    }),
  ],
}
