import type { Migration } from './words.ts'

export const accounts: Migration = {
  name: 'accounts',
  up: ({ int, text, key, clustered, plain }) => [
    `create table users (
      id ${key} primary key,
      handle ${key} not null unique,
      email ${text} not null,
      email_key ${key} not null unique,
      password_hash ${text} not null,
      display_name ${text} not null,
      bio ${text},
      avatar_url ${text},
      role ${text} not null check (role in ('user', 'admin')),
      tier ${text} not null check (tier in ('regular', 'premium')),
      is_suspended ${int} not null check (is_suspended in (0, 1)),
      suspended_at ${int},
      suspension_reason ${text},
      last_seen_at ${int},
      created_at ${int} not null,
      search_text ${text} not null,
      check ((is_suspended = 1) = (suspended_at is not null))
    ) ${plain}`,
    `create index users_by_role on users (role, is_suspended, id) where role = 'admin'`,
    `create index users_suspended on users (id) where is_suspended = 1`,

    `create table user_counts (
      user_id ${key} primary key references users (id),
      follower_count ${int} not null default 0 check (follower_count >= 0),
      following_count ${int} not null default 0 check (following_count >= 0),
      content_count ${int} not null default 0 check (content_count >= 0)
    ) ${clustered}`,

    `create table sessions (
      id ${key} primary key,
      user_id ${key} not null references users (id),
      access_hash ${text} not null,
      access_expires_at ${int} not null,
      previous_access_hash ${text},
      previous_access_expires_at ${int},
      seed ${text} not null,
      generation ${int} not null,
      refreshed_at ${int} not null,
      expires_at ${int} not null,
      user_agent ${text},
      ip ${text},
      created_at ${int} not null,
      last_seen_at ${int} not null
    ) ${clustered}`,
    `create index sessions_by_user on sessions (user_id, id)`,
    `create index sessions_by_end on sessions (expires_at)`,

    `create table legacy_accounts (
      handle ${key} not null unique,
      email ${key} not null unique,
      imported_at ${int} not null
    ) ${plain}`,

    `create table captcha_solutions (
      signature ${key} primary key,
      expires_at ${int} not null
    ) ${clustered}`,
    `create index captcha_solutions_by_end on captcha_solutions (expires_at)`,

    `create table captcha_tokens (
      token_hash ${key} primary key,
      expires_at ${int} not null
    ) ${clustered}`,
    `create index captcha_tokens_by_end on captcha_tokens (expires_at)`,

    `create table attempts (
      bucket ${key} primary key,
      count ${int} not null,
      resets_at ${int} not null
    ) ${clustered}`,
    `create index attempts_by_end on attempts (resets_at)`,

    `create table idempotency_keys (
      caller ${key} not null,
      route ${key} not null,
      key ${key} not null,
      fingerprint ${text} not null,
      status ${int} not null,
      data ${text},
      expires_at ${int} not null,
      primary key (caller, route, key)
    ) ${clustered}`,
    `create index idempotency_keys_by_end on idempotency_keys (expires_at)`,

    `create table audit_entries (
      id ${key} primary key,
      actor_id ${key} references users (id),
      target_id ${key} not null references users (id),
      action ${text} not null,
      before ${text} not null,
      after ${text} not null,
      reason ${text},
      request_id ${text},
      created_at ${int} not null
    ) ${clustered}`,
    `create index audit_entries_by_target on audit_entries (target_id, id)`,
  ],
}
