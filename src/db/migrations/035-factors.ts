import type { Migration } from './words.ts'

/** Adds TOTP secrets, passkeys and recovery codes. Columns of the user's row count these factors. */
export const factors: Migration = {
  name: 'factors',
  up: ({ int, key, text, clustered, plain }) => [
    `alter table users add column has_totp ${int} not null default 0 check (has_totp in (0, 1))`,
    `alter table users add column passkey_count ${int} not null default 0
      check (passkey_count >= 0)`,
    `alter table users add column recovery_code_count ${int} not null default 0
      check (recovery_code_count >= 0)`,

    `create table totp_secrets (
      user_id ${key} primary key references users (id),
      secret ${text} not null,
      confirmed_at ${int},
      used_steps ${text} not null,
      created_at ${int} not null
    ) ${plain}`,

    `create table passkeys (
      id ${key} primary key,
      user_id ${key} not null references users (id),
      credential_id ${key} not null unique,
      public_key ${text} not null,
      sign_count ${int} not null,
      transports ${text} not null,
      name ${text} not null,
      is_synced ${int} not null check (is_synced in (0, 1)),
      created_at ${int} not null,
      last_used_at ${int}
    ) ${plain}`,
    `create index passkeys_by_user on passkeys (user_id, id)`,

    `create table recovery_codes (
      user_id ${key} not null references users (id),
      code_hash ${key} not null,
      primary key (user_id, code_hash)
    ) ${clustered}`,

    `create table used_challenges (
      challenge ${key} primary key,
      expires_at ${int} not null
    ) ${clustered}`,
    `create index used_challenges_by_end on used_challenges (expires_at)`,
  ],
  triggers: ({ trigger }) =>
    (
      [
        ['passkeys', 'passkey_count'],
        ['recovery_codes', 'recovery_code_count'],
      ] as const
    ).flatMap(([table, count]) => [
      ...trigger({
        name: `${table}_added`,
        after: `insert on ${table}`,
        run: `update users set ${count} = ${count} + 1 where id = new.user_id`,
      }),
      ...trigger({
        name: `${table}_removed`,
        after: `delete on ${table}`,
        run: `update users set ${count} = ${count} - 1 where id = old.user_id`,
      }),
    ]),
}
