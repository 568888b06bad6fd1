import type { Migration } from './words.ts'

export const webhooks: Migration = {
  name: 'webhooks',
  up: ({ int, text, key, clustered, plain }) => [
    `create table webhooks (
      id ${key} primary key,
      owner_id ${key} not null references users (id),
      app_id ${key} not null references apps (id),
      endpoint_url ${text} not null,
      events ${text} not null,
      is_active ${int} not null check (is_active in (0, 1)),
      failure_count ${int} not null default 0 check (failure_count >= 0),
      failing_since ${int},
      secret ${text},
      signing_secret ${text},
      previous_signing_secret ${text},
      previous_until ${int},
      lease ${text},
      leased_until ${int},
      created_at ${int} not null,
      updated_at ${int} not null check (updated_at >= created_at),
      deleted_at ${int},
      check ((failing_since is not null) = (failure_count > 0)),
      check (lease is null or leased_until is not null),
      check ((previous_signing_secret is null) = (previous_until is null)),
      check ((secret is null) = (deleted_at is not null)),
      check ((signing_secret is null) = (deleted_at is not null)),
      check (deleted_at is null or is_active = 0)
    ) ${clustered}`,
    `create index webhooks_by_app on webhooks (app_id, id) where deleted_at is null`,
    `create index webhooks_by_owner on webhooks (owner_id) where deleted_at is null`,
    `create index webhooks_listening on webhooks (owner_id) where is_active = 1`,

    `create table webhook_events (
      id ${key} primary key,
      kind ${text} not null,
      created_at ${int} not null,
      payload ${text} not null
    ) ${plain}`,

    `create table webhook_deliveries (
      id ${key} primary key,
      webhook_id ${key} not null references webhooks (id),
      event_id ${key} not null references webhook_events (id),
      cause ${text} not null check (cause in ('event', 'test', 'redelivery')),
      status ${text} not null check (status in ('pending', 'delivered', 'failed')),
      attempt_count ${int} not null default 0 check (attempt_count >= 0),
      next_attempt_at ${int},
      ended_at ${int},
      created_at ${int} not null,
      check ((next_attempt_at is not null) = (status = 'pending')),
      check ((ended_at is null) = (status = 'pending'))
    ) ${clustered}`,
    `create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)`,
    `create index webhook_deliveries_by_event on webhook_deliveries (event_id)`,
    `create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, id) where next_attempt_at is not null`,
    `create unique index webhook_deliveries_one_test on webhook_deliveries (webhook_id) where cause = 'test' and next_attempt_at is not null`,

    `create table webhook_attempts (
      delivery_id ${key} not null references webhook_deliveries (id),
      number ${int} not null check (number > 0),
      at ${int} not null,
      response_status ${int},
      response_body ${text},
      error ${text},
      duration_ms ${int} not null check (duration_ms >= 0),
      primary key (delivery_id, number),
      check ((response_body is null) = (response_status is null))
    ) ${clustered}`,
  ],
}
