import type { Migration } from './words.ts'

/** Adds applications for accounts, invites, and bans of mail domains and networks. */
export const registration: Migration = {
  name: 'registration',
  up: ({ int, key, text, clustered, plain }) => [
    `create table applications (
      id ${key} primary key,
      handle ${key} not null,
      email ${text} not null,
      email_key ${key} not null,
      password_hash ${text} not null,
      display_name ${text} not null,
      application ${text} not null,
      ip ${text},
      language ${text} not null check (language in ('ko', 'en')),
      status ${key} not null check (status in ('pending', 'approved', 'rejected', 'expired')),
      reason ${text},
      decided_by ${key} references users (id),
      user_id ${key} references users (id),
      created_at ${int} not null,
      expires_at ${int} not null,
      decided_at ${int}
    ) ${plain}`,
    `create unique index applications_handle on applications (handle) where status = 'pending'`,
    `create unique index applications_email on applications (email_key) where status = 'pending'`,
    `create index applications_by_status on applications (status, id)`,
    `create index applications_due on applications (expires_at) where status = 'pending'`,

    `create index applications_by_user on applications (user_id) where user_id is not null`,

    `create table invites (
      id ${key} primary key,
      code_hash ${key} not null unique,
      created_by ${key} not null references users (id),
      max_uses ${int} not null check (max_uses >= 1),
      use_count ${int} not null default 0 check (use_count between 0 and max_uses),
      note ${text},
      expires_at ${int} not null,
      revoked_at ${int},
      created_at ${int} not null
    ) ${plain}`,
    `create index invites_by_creator on invites (created_by, id)`,
    `create table invite_uses (
      invite_id ${key} not null references invites (id),
      user_id ${key} not null references users (id),
      created_at ${int} not null,
      primary key (invite_id, user_id)
    ) ${clustered}`,

    `create table bans (
      id ${key} primary key,
      kind ${key} not null check (kind in ('email_domain', 'network')),
      value ${key} not null,
      reason ${text},
      until ${int},
      created_by ${key} not null references users (id),
      created_at ${int} not null,
      unique (kind, value)
    ) ${plain}`,
  ],
  triggers: ({ trigger }) =>
    trigger({
      name: 'invite_used',
      after: 'insert on invite_uses',
      run: `update invites set use_count = use_count + 1 where id = new.invite_id`,
    }),
}
