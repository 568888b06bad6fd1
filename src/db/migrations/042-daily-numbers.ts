import type { Migration } from './words.ts'

/** SQL for the UTC day (days since 1970) of a time in epoch milliseconds. */
const dayOf = (time: string) => `${time} / 86400000`
/**
 * Value of `day` for views that are older than this migration, because their days are unknown. This day is before
 * the year 0, so no real view has it.
 */
const UNDATED = -1_000_000

const add = (column: string, row: { content: string; time: string }, amount = '1') =>
  `insert into content_days (content_id, day, creator_id, ${column})
    select content_id, ${dayOf(row.time)}, creator_id, ${amount} from content_stats
    where content_id = ${row.content}
    on conflict (content_id, day) do update set ${column} = content_days.${column} + excluded.${column}`

const change = (column: string, by: string, row: { content: string; time: string }) =>
  `update content_days set ${column} = ${column} + ${by}
    where content_id = ${row.content} and day = ${dayOf(row.time)}`

const follow = (row: 'new' | 'old') => ({
  content: `${row}.content_id`,
  time: `${row}.created_at`,
})

/**
 * Counts views, plays, likes, comments and follows by day. Except for views, triggers change the counts of the day on
 * which a row was created. The sums of all days then equal the counts of `content_stats` and `user_counts`.
 */
export const dailyNumbers: Migration = {
  name: 'daily numbers',
  up: ({ int, key, clustered }) => [
    `create table content_days (
      content_id ${key} not null references contents (id),
      day ${int} not null,
      creator_id ${key} not null,
      views ${int} not null default 0 check (views >= 0),
      plays ${int} not null default 0 check (plays >= 0),
      likes ${int} not null default 0 check (likes >= 0),
      comments ${int} not null default 0 check (comments >= 0),
      follows ${int} not null default 0 check (follows >= 0),
      primary key (content_id, day)
    ) ${clustered}`,
    `create index content_days_by_creator on content_days (creator_id, day)`,
    `create table follower_days (
      creator_id ${key} not null references users (id),
      day ${int} not null,
      follows ${int} not null check (follows >= 0),
      primary key (creator_id, day)
    ) ${clustered}`,
    `alter table follows add column content_id ${key} references contents (id)`,
    `create index follows_by_content on follows (content_id) where content_id is not null`,
    // Hidden and deleted comments count as 0, but create the row of their day. The trigger needs this row when a
    // hidden comment is shown again.
    `insert into content_days (content_id, day, creator_id, views, plays, likes, comments)
      select acts.content_id, acts.day, stats.creator_id, sum(acts.views), sum(acts.plays),
        sum(acts.likes), sum(acts.comments)
      from (
        select content_id, ${UNDATED} as day, view_count as views, 0 as plays, 0 as likes,
          0 as comments from content_stats where view_count > 0
        union all select game_id, ${dayOf('created_at')}, 0, 1, 0, 0 from plays
        union all select content_id, ${dayOf('created_at')}, 0, 0, 1, 0 from likes
        union all select content_id, ${dayOf('created_at')}, 0, 0, 0, 1 - is_deleted from comments
      ) as acts
      join content_stats as stats on stats.content_id = acts.content_id
      group by acts.content_id, acts.day, stats.creator_id`,
    `insert into follower_days (creator_id, day, follows)
      select creator_id, ${dayOf('created_at')}, count(*) from follows
      group by creator_id, ${dayOf('created_at')}`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'like_dated',
      after: 'insert on likes',
      run: add('likes', { content: 'new.content_id', time: 'new.created_at' }),
    }),
    ...trigger({
      name: 'like_undated',
      after: 'delete on likes',
      run: change('likes', '-1', { content: 'old.content_id', time: 'old.created_at' }),
    }),
    ...trigger({
      name: 'play_dated',
      after: 'insert on plays',
      run: add('plays', { content: 'new.game_id', time: 'new.created_at' }),
    }),
    ...trigger({
      name: 'play_undated',
      after: 'delete on plays',
      run: change('plays', '-1', { content: 'old.game_id', time: 'old.created_at' }),
    }),
    ...trigger({
      name: 'comment_dated',
      after: 'insert on comments',
      run: add(
        'comments',
        { content: 'new.content_id', time: 'new.created_at' },
        '1 - new.is_deleted',
      ),
    }),
    ...trigger({
      name: 'comment_undated',
      after: 'update of is_deleted on comments',
      when: 'new.is_deleted <> old.is_deleted',
      run: change('comments', 'old.is_deleted - new.is_deleted', {
        content: 'new.content_id',
        time: 'new.created_at',
      }),
    }),
    ...trigger({
      name: 'follow_dated',
      after: 'insert on follows',
      run: `${add('follows', follow('new'))};
        insert into follower_days (creator_id, day, follows)
        values (new.creator_id, ${dayOf('new.created_at')}, 1)
        on conflict (creator_id, day) do update set follows = follower_days.follows + 1`,
    }),
    ...trigger({
      name: 'follow_moved',
      after: 'update of content_id on follows',
      when: 'old.content_id is not null and new.content_id is null',
      run: change('follows', '-1', follow('old')),
    }),
    ...trigger({
      name: 'follow_undated',
      after: 'delete on follows',
      run: `${change('follows', '-1', follow('old'))};
        update follower_days set follows = follows - 1
        where creator_id = old.creator_id and day = ${dayOf('old.created_at')}`,
    }),
  ],
}
