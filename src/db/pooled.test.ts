import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { dropDatabase, ENGINE, newDatabase } from '../../test/app.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { statement } from './statement.ts'

const databaseUrl = await newDatabase()
after(() => databaseUrl && dropDatabase(databaseUrl))

const limit = statement((q, p: { bucket: string }) =>
  q.selectNoFrom([
    sql<string>`current_setting('statement_timeout')`.as('set'),
    sql<string>`cast(${p.bucket} as text)`.as('bucket'),
  ]),
)

test('sets a server-side time limit for single statements and for transactions', {
  skip: ENGINE !== 'postgres' && 'only PostgreSQL has pools',
}, async () => {
  const url = new URL(databaseUrl as string)
  url.searchParams.set('pgbouncer', 'true')
  const db = openPostgres(url.href, { setting: 'DATABASE_URL' })
  after(() => db.close())
  await migrate(db, Date.now)
  const alone = await db.first(limit, { bucket: 'alone' })
  const inside = await db.transaction((tx) => tx.first(limit, { bucket: 'inside' }))
  assert.deepEqual({ ...alone }, { set: '15s', bucket: 'alone' })
  assert.deepEqual({ ...inside }, { set: '15s', bucket: 'inside' })
})
