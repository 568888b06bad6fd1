import type { Migration } from './words.ts'

/**
 * Stores the networks from which users signed in, and the number of registration conflicts per captcha token.
 */
export const guards: Migration = {
  name: 'guards',
  up: ({ int, key, clustered }) => [
    `create table login_networks (
      user_id ${key} not null references users (id),
      network_hash ${key} not null,
      seen_at ${int} not null,
      primary key (user_id, network_hash)
    ) ${clustered}`,
    `create index login_networks_by_time on login_networks (seen_at)`,
    `alter table captcha_tokens add column conflicts ${int} not null default 0
      check (conflicts between 0 and 5)`,
  ],
}
