import { type Check, counted } from './check.ts'

/**
 * Returns a check that finds hidden rows whose `hidden_by` is not the id of a decision that hides them.
 * `hidesToo` is a SQL condition for rows with another valid reason.
 */
const hider = (table: string, hidesToo: string): Check => ({
  name: `${table}.hidden_by: a decision that hides the row`,
  sql: `select hidden.id from ${table} as hidden
    left join hidden_subjects as named
      on named.subject_id = hidden.id and named.decision_id = hidden.hidden_by
    where hidden.hidden_by is not null and named.decision_id is null and not (${hidesToo})`,
})

export const ofModeration: Check[] = [
  counted('report_count', 'cases', 'id', 'select case_id as owner from reports'),
  {
    name: 'case_reasons.total',
    sql: `select coalesce(stored.case_id, counted.case_id) as id from case_reasons as stored
      full join (select case_id, reason, count(*) as n from reports group by case_id, reason)
        as counted on counted.case_id = stored.case_id and counted.reason = stored.reason
      where coalesce(stored.total, 0) <> coalesce(counted.n, 0)`,
  },
  {
    name: 'case_reasons.status: of the case',
    sql: `select cases.id from case_reasons join cases on cases.id = case_reasons.case_id
      where case_reasons.status <> cases.status`,
  },
  {
    name: 'case_totals.total',
    sql: `select coalesce(stored.subject_kind, counted.subject_kind) as id from case_totals as stored
      full join (select status, subject_kind, count(*) as n from cases group by status, subject_kind)
        as counted on counted.status = stored.status and counted.subject_kind = stored.subject_kind
      where coalesce(stored.total, 0) <> coalesce(counted.n, 0)`,
  },
  {
    name: 'case_filter_totals.total',
    sql: `select coalesce(stored.subject_kind, counted.subject_kind) as id from case_filter_totals as stored
      full join (
        select cases.status, subject_kind, coalesce(assignee_id, '') as assignee_id,
          reasons.reason, count(*) as n
        from cases join (select id as case_id, '' as reason from cases
          union all select case_id, reason from case_reasons) as reasons on reasons.case_id = cases.id
        group by 1, 2, 3, 4
      ) as counted on counted.status = stored.status and counted.subject_kind = stored.subject_kind
        and counted.assignee_id = stored.assignee_id and counted.reason = stored.reason
      where coalesce(stored.total, 0) <> coalesce(counted.n, 0)`,
  },
  {
    name: 'cases.status: decided with the reports',
    sql: `select reports.id from reports join cases on cases.id = reports.case_id
      where (cases.status = 'open') <> (reports.status = 'open')`,
  },
  hider('comments', `hidden.hidden_by = 'creator' and hidden.is_hidden_by_creator = 1`),
  hider('posts', '1 = 0'),
  hider('messages', '1 = 0'),
  {
    name: 'comments.is_hidden_by_creator: hidden',
    sql: `select id from comments where is_hidden_by_creator = 1 and hidden_by is null`,
  },
  {
    name: 'contents.moderation: hidden while a decision hides it',
    sql: `select contents.id from contents
      left join (select distinct subject_id from hidden_subjects) as hidden
        on hidden.subject_id = contents.id
      where (contents.moderation is null) <> (hidden.subject_id is null)`,
  },
  {
    name: 'users.avatar_url: null while a decision blocks the picture',
    sql: `select users.id from users
      left join (select distinct '/uploads/' || subject_id || '.webp' as url from hidden_subjects)
        as blocked on blocked.url = coalesce(users.blocked_avatar_url, users.avatar_url)
      where (users.blocked_avatar_url is null) <> (blocked.url is null)`,
  },
  {
    name: 'decisions: each block hides the hash of its file',
    sql: `select decisions.id from decisions
      left join hidden_subjects as hidden
        on hidden.decision_id = decisions.id and hidden.subject_id = decisions.subject_id
      where decisions.action = 'block_file'
        and (decisions.status = 'in_effect') <> (hidden.decision_id is not null)`,
  },
  {
    name: 'hidden_subjects: by decisions in effect',
    sql: `select hidden.subject_id as id from hidden_subjects as hidden
      join decisions on decisions.id = hidden.decision_id where decisions.status = 'undone'`,
  },
]
