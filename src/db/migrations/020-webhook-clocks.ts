import type { Migration } from './words.ts'

/**
 * Records how long a webhook has failed, and when the next attempt of each delivery was scheduled. With this data, a
 * clock jump neither disables a webhook nor delays a delivery.
 */
export const webhookClocks: Migration = {
  name: 'webhook-clocks',
  up: ({ int }) => [
    `alter table webhooks add column failed_at ${int}`,
    `update webhooks set failed_at = failing_since`,
    `alter table webhooks add column failing_ms ${int} not null default 0 check (failing_ms >= 0)`,
    `alter table webhook_deliveries add column scheduled_at ${int} not null default 0`,
    `create index webhook_deliveries_scheduled on webhook_deliveries (scheduled_at)
      where next_attempt_at is not null`,
  ],
}
