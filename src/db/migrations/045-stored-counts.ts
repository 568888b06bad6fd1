import type { Migration } from './words.ts'

const changed = (column: string) => `(new.${column} is null) <> (old.${column} is null)`
const set = (row: 'new' | 'old', column: string) =>
  `(case when ${row}.${column} is null then 0 else 1 end)`
const addToFilters = (userId: string, block: string, mute: string) =>
  `update user_counts set block_count = block_count + ${block}, mute_count = mute_count + ${mute}
    where user_id = ${userId}`

/**
 * Stores the number of each user's blocks and mutes, and the number of cases with each status and kind of subject.
 */
export const storedCounts: Migration = {
  name: 'stored counts',
  up: ({ int, key, clustered }) => [
    ...['block', 'mute'].flatMap((kind) => [
      `alter table user_counts add column ${kind}_count ${int} not null default 0 check (${kind}_count >= 0)`,
      `update user_counts set ${kind}_count =
        (select count(*) from user_filters as own where own.user_id = user_counts.user_id and ${kind === 'block' ? 'blocked' : 'muted'}_at is not null)
        where user_id in (select user_id from user_filters)`,
    ]),
    `create table case_totals (
      status ${key} not null,
      subject_kind ${key} not null,
      total ${int} not null check (total >= 0),
      primary key (status, subject_kind)
    ) ${clustered}`,
    `insert into case_totals (status, subject_kind, total)
      select status, subject_kind, count(*) from cases group by status, subject_kind`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'user_filter_added',
      after: 'insert on user_filters',
      run: addToFilters('new.user_id', set('new', 'blocked_at'), set('new', 'muted_at')),
    }),
    ...trigger({
      name: 'user_filter_changed',
      after: 'update of blocked_at, muted_at on user_filters',
      when: `${changed('blocked_at')} or ${changed('muted_at')}`,
      run: addToFilters(
        'new.user_id',
        `${set('new', 'blocked_at')} - ${set('old', 'blocked_at')}`,
        `${set('new', 'muted_at')} - ${set('old', 'muted_at')}`,
      ),
    }),
    ...trigger({
      name: 'user_filter_removed',
      after: 'delete on user_filters',
      run: addToFilters(
        'old.user_id',
        `-${set('old', 'blocked_at')}`,
        `-${set('old', 'muted_at')}`,
      ),
    }),
    ...trigger({
      name: 'case_opened',
      after: 'insert on cases',
      run: `insert into case_totals (status, subject_kind, total)
        values (new.status, new.subject_kind, 1)
        on conflict (status, subject_kind) do update set total = case_totals.total + 1`,
    }),
    ...trigger({
      name: 'case_moved',
      after: 'update of status on cases',
      when: 'new.status <> old.status',
      run: `update case_totals set total = total - 1
          where status = old.status and subject_kind = old.subject_kind;
        insert into case_totals (status, subject_kind, total)
          values (new.status, new.subject_kind, 1)
          on conflict (status, subject_kind) do update set total = case_totals.total + 1`,
    }),
  ],
}
