import type { Migration } from './words.ts'

/** Adds the settings, rules, pages, announcements and picks of the operator. */
export const site: Migration = {
  name: 'site',
  up: ({ int, key, text, clustered, plain }) => [
    `create table site (
      id ${int} primary key check (id = 1),
      revision ${int} not null,
      settings ${text} not null,
      logo_upload_id ${key} references uploads (id),
      logo_url ${text},
      last_backup_at ${int}
    ) ${plain}`,
    `insert into site (id, revision, settings) values (1, 1, '{}')`,

    `create table site_rules (
      id ${key} primary key,
      position ${int},
      text ${text} not null,
      created_at ${int} not null
    ) ${plain}`,

    `create table pages (
      slug ${key} primary key,
      title ${text} not null,
      body ${text} not null,
      revision ${int} not null,
      created_at ${int} not null,
      updated_at ${int} not null
    ) ${plain}`,

    `create table announcements (
      id ${key} primary key,
      title ${text} not null,
      body ${text} not null,
      link ${text},
      starts_at ${int} not null,
      ends_at ${int},
      created_at ${int} not null
    ) ${plain}`,
    // Has no foreign key to the announcement, so that deleting an announcement does not require deleting the rows of
    // its readers.
    `create table announcement_reads (
      announcement_id ${key} not null,
      user_id ${key} not null references users (id),
      primary key (announcement_id, user_id)
    ) ${clustered}`,
    `create index announcement_reads_by_user on announcement_reads (user_id)`,

    `create table picks (
      content_id ${key} primary key references contents (id),
      position ${int} not null,
      note ${text},
      until ${int},
      created_at ${int} not null
    ) ${plain}`,
  ],
}
