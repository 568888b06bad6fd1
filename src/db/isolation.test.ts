import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { dropDatabase, ENGINE, newDatabase, startApp } from '../../test/app.ts'
import { makeContent, times } from '../../test/make.ts'
import { openPostgres } from './postgres.ts'
import { statement } from './statement.ts'

const skip = ENGINE !== 'postgres' && 'only PostgreSQL has isolation levels'
const databaseUrl = (await newDatabase()) as string
after(() => databaseUrl && dropDatabase(databaseUrl))
if (!skip) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  await client.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  await client.end()
}

const level = statement((q) =>
  q.selectNoFrom(sql<string>`current_setting('transaction_isolation')`.as('level')),
)

test('runs every statement and transaction at READ COMMITTED', { skip }, async () => {
  const db = openPostgres(databaseUrl, { setting: 'DATABASE_URL' })
  after(() => db.close())
  assert.equal((await db.first(level, {}))?.level, 'read committed')
  const inside = await db.transaction(async (tx) => [
    await tx.first(level, {}),
    await tx.first(level, {}),
  ])
  assert.deepEqual(
    inside.map((row) => row?.level),
    ['read committed', 'read committed'],
  )
})

test('rejects another default isolation level behind PgBouncer and names the setting', {
  skip,
}, async () => {
  const url = new URL(databaseUrl)
  url.searchParams.set('pgbouncer', 'true')
  const db = openPostgres(url.href, { setting: 'DATABASE_URL' })
  after(() => db.close())
  await assert.rejects(db.first(level, {}), {
    message:
      'DATABASE_URL: the default isolation level is repeatable read; behind PgBouncer it must be read committed',
  })
})

test('completes concurrent writes to one content without errors and with exact counts', {
  skip,
}, async () => {
  const app = await startApp({ DATABASE_URL: databaseUrl })
  const author = await app.user()
  const { id } = await makeContent(author)
  const clients = await times(12, () => app.user())
  const answers = await Promise.all(
    clients.flatMap((client) => [
      client.post(`/contents/${id}/like`),
      client.post(`/contents/${id}/comments`, { body: 'hello' }),
      client.post('/posts', { body: 'hello' }),
    ]),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201])
  const [row] = await app.sql(
    `select like_count, comment_count from content_stats where content_id = '${id}'`,
  )
  assert.deepEqual([Number(row?.['like_count']), Number(row?.['comment_count'])], [12, 12])
})
