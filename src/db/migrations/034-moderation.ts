import type { Migration } from './words.ts'

/** Adds reports, cases, decisions and appeals, and the columns for the content that decisions hide. */
export const moderation: Migration = {
  name: 'moderation',
  up: ({ int, key, text, clustered, plain }) => [
    `alter table contents add column moderation ${text}`,
    `alter table contents add column rating ${text} not null default 'everyone'
      check (rating in ('everyone', 'teen', 'adult'))`,
    `alter table contents add column decided_rating ${text}`,
    `alter table contents add column own_rating ${text}`,
    ...['comments', 'posts'].flatMap((table) => [
      `alter table ${table} add column hidden_by ${key}`,
      `alter table ${table} add column hidden_body ${text}`,
    ]),
    `alter table messages add column hidden_by ${key}`,

    `create table decisions (
      id ${key} primary key,
      subject_kind ${key} not null,
      subject_id ${key} not null,
      subject_user_id ${key} references users (id),
      action ${key} not null,
      reason ${text} not null,
      rule_id ${key},
      rule_text ${text},
      rating ${text},
      since ${int},
      excerpt ${text} not null,
      affected_count ${int} not null check (affected_count >= 0),
      status ${key} not null check (status in ('applying', 'in_effect', 'undoing', 'undone')),
      decided_by ${key} references users (id),
      undone_by ${key} references users (id),
      undone_at ${int},
      created_at ${int} not null
    ) ${plain}`,
    `create index decisions_by_user on decisions (subject_user_id, id)`,
    `create index decisions_by_action on decisions (action, id)`,
    `create index decisions_by_status on decisions (status, id)`,
    `create index decisions_by_subject on decisions (subject_id, action, id)`,

    `create table decision_users (
      user_id ${key} not null references users (id),
      decision_id ${key} not null references decisions (id),
      primary key (user_id, decision_id)
    ) ${clustered}`,
    `create index decision_users_by_decision on decision_users (decision_id, user_id)`,

    // One row for each decision that hides a subject. The subject is hidden while it has a row.
    `create table hidden_subjects (
      subject_id ${key} not null,
      decision_id ${key} not null references decisions (id),
      primary key (subject_id, decision_id)
    ) ${clustered}`,
    `create index hidden_subjects_by_decision on hidden_subjects (decision_id, subject_id)`,

    `create table cases (
      id ${key} primary key,
      subject_kind ${key} not null,
      subject_id ${key} not null,
      subject_user_id ${key} not null references users (id),
      snapshot ${text},
      report_count ${int} not null check (report_count >= 0),
      status ${key} not null check (status in ('open', 'decided')),
      assignee_id ${key} references users (id),
      decision_id ${key} references decisions (id),
      opened_at ${int} not null,
      decided_at ${int},
      check ((status = 'decided') = (decided_at is not null))
    ) ${clustered}`,
    `create unique index cases_open on cases (subject_id) where status = 'open'`,
    `create index cases_by_status on cases (status, id)`,
    `create index cases_by_kind on cases (status, subject_kind, id)`,
    `create index cases_by_assignee on cases (status, assignee_id, id)`,
    `create index cases_by_user on cases (subject_user_id, id)`,
    `create index cases_with_snapshot on cases (decided_at)
      where snapshot is not null and status = 'decided'`,

    `create table case_reasons (
      case_id ${key} not null references cases (id),
      reason ${key} not null,
      total ${int} not null check (total >= 0),
      primary key (case_id, reason)
    ) ${clustered}`,

    `create table reports (
      id ${key} primary key,
      reporter_id ${key} references users (id),
      subject_kind ${key} not null,
      subject_id ${key} not null,
      case_id ${key} not null references cases (id),
      reason ${key} not null,
      rule_id ${key},
      note ${text},
      status ${key} not null check (status in ('open', 'actioned', 'dismissed')),
      created_at ${int} not null,
      decided_at ${int}
    ) ${clustered}`,
    `create unique index reports_open on reports (reporter_id, subject_id) where status = 'open'`,
    `create index reports_by_reporter on reports (reporter_id, id)`,
    `create index reports_by_case on reports (case_id, id)`,

    `create table appeals (
      id ${key} primary key,
      decision_id ${key} not null references decisions (id),
      user_id ${key} not null references users (id),
      body ${text} not null,
      status ${key} not null check (status in ('open', 'granted', 'upheld', 'closed')),
      answer ${text},
      answered_by ${key} references users (id),
      created_at ${int} not null,
      answered_at ${int},
      unique (decision_id, user_id)
    ) ${plain}`,
    `create index appeals_by_status on appeals (status, id)`,
    `create index appeals_by_user on appeals (user_id, id)`,

    // Creates a decision for each suspended user. The time and the random part of the user's id make the decision's
    // id unique.
    `insert into decisions (id, subject_kind, subject_id, subject_user_id, action, reason, excerpt,
        affected_count, status, created_at)
      select 'dec_' || substr(id, 5), 'user', id, id, 'suspend', coalesce(suspension_reason, ''),
        display_name, 1, 'in_effect', coalesce(suspended_at, created_at)
      from users where is_suspended = 1`,
    `insert into decision_users (user_id, decision_id)
      select subject_user_id, id from decisions`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'report_added',
      after: 'insert on reports',
      run: `update cases set report_count = report_count + 1 where id = new.case_id`,
    }),
    ...trigger({
      name: 'report_reason_added',
      after: 'insert on reports',
      run: `insert into case_reasons (case_id, reason, total) values (new.case_id, new.reason, 1)
        on conflict (case_id, reason) do update set total = case_reasons.total + 1`,
    }),
  ],
}
