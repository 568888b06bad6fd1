import type { Migration } from './words.ts'

const isShown = (row: 'new' | 'old') => `(${row}.content_count > 0 and ${row}.is_hidden = 0)`
const addShown = (change: string) => `update shown_tags set total = total + (${change})`

const KEY = 'status, subject_kind, assignee_id, reason'
const addCase = (rows: string) => `insert into case_filter_totals (${KEY}, total) ${rows}
  on conflict (${KEY}) do update set total = case_filter_totals.total + 1`

/**
 * Stores the number of tags that lists show, and the number of cases for each filter of the list of cases. An index
 * finds the tags that no public content has.
 */
export const filteredCounts: Migration = {
  name: 'filtered counts',
  up: ({ int, key, clustered }) => [
    `create index tags_unused on tags (tag) where content_count = 0 and is_hidden = 0`,
    `create table shown_tags (
      id ${int} primary key check (id = 1),
      total ${int} not null check (total >= 0)
    ) ${clustered}`,
    `insert into shown_tags (id, total)
      select 1, count(*) from tags where content_count > 0 and is_hidden = 0`,

    `alter table case_reasons add column status ${key} not null default 'open'
      check (status in ('open', 'decided'))`,
    `update case_reasons set status = 'decided'
      where case_id in (select id from cases where status = 'decided')`,
    `create index case_reasons_by_reason on case_reasons (reason, status, case_id)`,
    `create table case_filter_totals (
      status ${key} not null,
      subject_kind ${key} not null,
      assignee_id ${key} not null,
      reason ${key} not null,
      total ${int} not null check (total >= 0),
      primary key (${KEY})
    ) ${clustered}`,
    `insert into case_filter_totals (${KEY}, total)
      select cases.status, subject_kind, coalesce(assignee_id, ''), reasons.reason, count(*)
      from cases join (select id as case_id, '' as reason from cases
        union all select case_id, reason from case_reasons) as reasons on reasons.case_id = cases.id
      group by 1, 2, 3, 4`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'tag_shown',
      after: 'insert on tags',
      when: isShown('new'),
      run: addShown('1'),
    }),
    ...trigger({
      name: 'tag_shown_changed',
      after: 'update of content_count, is_hidden on tags',
      when: `${isShown('new')} <> ${isShown('old')}`,
      run: addShown(`case when ${isShown('new')} then 1 else -1 end`),
    }),
    ...trigger({
      name: 'tag_removed',
      after: 'delete on tags',
      when: isShown('old'),
      run: addShown('-1'),
    }),

    ...trigger({
      name: 'filtered_case_opened',
      after: 'insert on cases',
      run: addCase(`values (new.status, new.subject_kind, coalesce(new.assignee_id, ''), '', 1)`),
    }),
    ...trigger({
      name: 'filtered_reason_added',
      after: 'insert on case_reasons',
      run: addCase(`select status, subject_kind, coalesce(assignee_id, ''), new.reason, 1
        from cases where id = new.case_id`),
    }),
    ...trigger({
      name: 'filtered_case_moved',
      after: 'update of status, assignee_id on cases',
      when: 'new.status <> old.status or new.assignee_id is distinct from old.assignee_id',
      run: `update case_filter_totals set total = total - 1
          where status = old.status and subject_kind = old.subject_kind
            and assignee_id = coalesce(old.assignee_id, '')
            and (reason = '' or reason in (select reason from case_reasons where case_id = old.id));
        update case_reasons set status = new.status
          where case_id = new.id and status <> new.status;
        ${addCase(`select new.status, new.subject_kind, coalesce(new.assignee_id, ''), reasons.reason, 1
          from (select '' as reason union all select reason from case_reasons where case_id = new.id)
            as reasons where true`)}`,
    }),
  ],
}
