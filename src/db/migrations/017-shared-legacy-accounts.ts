import type { Migration } from './words.ts'

/**
 * Allows several imported legacy accounts to share an email address or a handle. New accounts cannot use these
 * addresses and handles.
 */
export const sharedLegacyAccounts: Migration = {
  name: 'shared legacy accounts',
  up: ({ int, key, clustered }) => [
    `alter table legacy_accounts rename to unshared_legacy_accounts`,
    `create table legacy_accounts (
      handle ${key} not null,
      email ${key} not null,
      imported_at ${int} not null,
      primary key (handle, email)
    ) ${clustered}`,
    `insert into legacy_accounts (handle, email, imported_at)
      select handle, email, imported_at from unshared_legacy_accounts`,
    `drop table unshared_legacy_accounts`,
    `create index legacy_accounts_by_email on legacy_accounts (email)`,
  ],
}
