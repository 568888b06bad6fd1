import type { Migration } from './words.ts'

/** Adds the time at which recovery codes were issued. Earlier codes have time 0. */
export const factorTimes: Migration = {
  name: 'factor times',
  up: ({ int }) => [`alter table recovery_codes add column created_at ${int} not null default 0`],
}
