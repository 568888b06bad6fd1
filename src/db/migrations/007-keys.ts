import type { Migration } from './words.ts'

export const keys: Migration = {
  name: 'keys',
  up: ({ int, text, key, clustered }) => [
    `create table apps (
      id ${key} primary key,
      owner_id ${key} not null references users (id),
      app_name ${text} not null,
      app_type ${text} not null check (app_type in ('web', 'mobile', 'server', 'cli', 'game')),
      description ${text},
      redirect_uris ${text} not null,
      scopes ${text} not null,
      created_at ${int} not null,
      updated_at ${int} not null check (updated_at >= created_at),
      deleted_at ${int}
    ) ${clustered}`,
    `create index apps_by_owner on apps (owner_id, id) where deleted_at is null`,

    `create table api_keys (
      id ${key} primary key,
      owner_id ${key} not null references users (id),
      app_id ${key} references apps (id),
      key_name ${text} not null,
      environment ${text} check (environment in ('live', 'test')),
      key_hash ${key} not null unique,
      key_prefix ${text} not null,
      last_four ${text} not null,
      scopes ${text},
      last_used_at ${int},
      expires_at ${int},
      revoked_at ${int},
      created_at ${int} not null,
      check ((app_id is null) = (environment is null)),
      check ((app_id is null) = (scopes is null)),
      check (app_id is not null or expires_at is null)
    ) ${clustered}`,
    `create index api_keys_by_app on api_keys (app_id, id) where app_id is not null`,
    `create index api_keys_live on api_keys (app_id, expires_at) where revoked_at is null and app_id is not null`,
    `create index api_keys_legacy on api_keys (owner_id, id) where revoked_at is null and app_id is null`,
  ],
}
