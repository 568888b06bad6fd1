import type { Migration } from './words.ts'

/**
 * Adds mails, their tokens, and the verification of addresses. Addresses of admins count as verified. Other
 * addresses do not, because no mailed link has confirmed them.
 */
export const mail: Migration = {
  name: 'mail',
  up: ({ int, key, text, clustered, plain }) => [
    `alter table users add column email_verified ${int} not null default 0
      check (email_verified in (0, 1))`,
    `alter table users add column pending_email ${text}`,
    `alter table users add column sign_in_alerts ${int} not null default 1
      check (sign_in_alerts in (0, 1))`,
    `update users set email_verified = 1 where role = 'admin'`,

    `create table mails (
      id ${key} primary key,
      user_id ${key} references users (id),
      kind ${text} not null,
      to_address ${text} not null,
      language ${text} not null check (language in ('ko', 'en')),
      params ${text} not null,
      sealed ${text},
      status ${text} not null check (status in ('pending', 'sent', 'failed')),
      attempts ${int} not null,
      due_at ${int},
      lease ${text},
      created_at ${int} not null,
      ended_at ${int},
      check ((status = 'pending') = (due_at is not null)),
      check ((status = 'pending') = (ended_at is null)),
      check (status = 'pending' or sealed is null)
    ) ${plain}`,
    `create index mails_due on mails (due_at) where due_at is not null`,
    `create index mails_ended on mails (status, ended_at) where ended_at is not null`,
    `create index mails_by_user on mails (user_id) where user_id is not null`,

    `create table mail_tokens (
      user_id ${key} not null references users (id),
      purpose ${key} not null,
      token_hash ${key} not null unique,
      email ${text} not null,
      email_key ${key} not null,
      expires_at ${int} not null,
      created_at ${int} not null,
      primary key (user_id, purpose)
    ) ${plain}`,
    `create index mail_tokens_by_email on mail_tokens (email_key) where purpose = 'email_undo'`,
    `create index mail_tokens_by_end on mail_tokens (expires_at)`,

    `create table login_agents (
      user_id ${key} not null references users (id),
      agent_hash ${key} not null,
      seen_at ${int} not null,
      primary key (user_id, agent_hash)
    ) ${clustered}`,
    `create index login_agents_by_time on login_agents (seen_at)`,
  ],
}
