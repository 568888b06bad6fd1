import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINE, startApp } from '../../test/app.ts'
import { USER_STEPS } from './user-steps.ts'

const app = await startApp()

test('has a step for each table that refers to a user', async () => {
  const tables = await app.sql(
    ENGINE === 'postgres'
      ? `select distinct t.relname as name from pg_constraint as r join pg_class as t on t.oid = r.conrelid
          where r.contype = 'f' and r.confrelid = 'users'::regclass`
      : `select distinct t.name from sqlite_schema as t join pragma_foreign_key_list(t.name) as r
          where t.type = 'table' and r."table" = 'users'`,
  )
  const STAY = [
    'api_keys', // without its name, revoked
    'apps', // without its name, deleted
    'audit_entries',
    'bans',
    'conversation_members',
    'conversations',
    'decision_users',
    'deletions',
    'invite_uses',
    'messages',
    'notification_counts',
    'plays',
    'storage_usage',
    'suspended_stars',
    'user_counts',
    'webhooks', // without secrets, deleted
  ]
  const missing = tables
    .map(({ name }) => String(name))
    .filter((name) => !(name in USER_STEPS) && !STAY.includes(name))
  assert.deepEqual(missing, [], 'add a step to src/erasure/user-steps.ts')
})
