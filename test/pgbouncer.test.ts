/** Tests servers behind PgBouncer. The servers have fewer database connections than concurrent requests. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { findPgbouncer, startPgbouncer } from '../scripts/pgbouncer.ts'
import { type Anyone, dropDatabase, ENGINE, newDatabase, startApp, testSecrets } from './app.ts'
import { captchaToken } from './captcha.ts'
import {
  dataOf,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
  times,
} from './make.ts'
import { plaza } from './process.ts'

const CONNECTIONS = 3
const server = process.env['TEST_DATABASE_URL']
const skip = (ENGINE !== 'postgres' || !findPgbouncer()) && 'needs PostgreSQL and PgBouncer'

async function start() {
  const databaseUrl = await newDatabase()
  assert.ok(databaseUrl && server)
  const pgbouncer = await startPgbouncer(server, CONNECTIONS)
  const settings = { DATABASE_URL: pgbouncer.through(databaseUrl), RATE_LIMITS: 'off' }
  const app = await startApp(settings)
  // Hooks run in order of registration, so PgBouncer stops after the servers that use it.
  after(async () => {
    await pgbouncer.stop()
    await dropDatabase(databaseUrl)
  })
  return { app, sibling: await app.sibling(), settings, databaseUrl, pgbouncer }
}

const world = skip ? undefined : await start()

test('creates the schema, registers users and stores their actions through PgBouncer', {
  skip,
}, async () => {
  assert.ok(world)
  const { app, sibling } = world
  const mina = await app.user()
  const jun = await app.user()
  const registered = await app.anon.post('/auth/register', {
    handle: 'passer',
    email: 'passer@example.test',
    password: 'a long password',
    captcha_token: await captchaToken(sibling.anon),
  })
  assert.equal(registered.status, 201, registered.text)
  const made = await makeContent(mina, { tags: ['one', 'two'] })
  const comment = await makeComment(jun, made.id)
  await makeComment(mina, made.id, { parent_id: comment.id })
  await makePost(jun)
  const conversation = await makeConversation(jun, mina)
  await sendMessage(jun, conversation.id)
  const { content } = dataOf(await jun.at(sibling.url).get(`/contents/${made.id}`))
  assert.deepEqual([content.comment_count, content.tags], [2, ['one', 'two']])
  assert.equal((await jun.post('/auth/logout')).status, 204)
  assert.equal((await jun.at(sibling.url).get('/auth/me')).status, 401)
})

test('counts concurrent likes exactly and applies an Idempotency-Key once through PgBouncer', {
  skip,
}, async () => {
  assert.ok(world)
  const { app, sibling } = world
  const author = await app.user()
  const made = await makeContent(author)
  const users = await times(8, () => app.user())
  const like = (who: Anyone) => who.post(`/contents/${made.id}/like`)
  const toggles = await times(8 * 6, (i) => {
    const user = users[i % users.length]
    assert.ok(user)
    return like(i % 2 === 0 ? user : user.at(sibling.url))
  })
  for (const answer of toggles) dataOf(answer)
  const { content } = dataOf(await author.get(`/contents/${made.id}`))
  assert.equal(content.like_count, await app.count(`likes where content_id = '${made.id}'`))
  assert.equal(content.like_count, 0, 'each user toggled an even number of times')

  const headers = { 'idempotency-key': randomUUID() }
  const answers = await times(6, (i) =>
    author.at(i % 2 ? app.url : sibling.url).post('/posts', { body: 'once' }, { headers }),
  )
  const statuses = new Set(answers.map(({ status }) => status))
  assert.ok(statuses.has(201))
  assert.ok([...statuses].every((status) => status === 201 || status === 409))
  assert.equal(await app.count(`posts where body = 'once'`), 1)
})

test('leaves no prepared statement or setting on PgBouncer’s connections and no damaged data', {
  skip,
}, async () => {
  assert.ok(world)
  const { app, settings } = world
  const seen = await times(CONNECTIONS * 4, () =>
    app.sql(
      `select count(*) as n, current_setting('statement_timeout') as time from pg_prepared_statements`,
    ),
  )
  for (const [row] of seen) assert.deepEqual([Number(row?.['n']), row?.['time']], [0, '0'])
  assert.ok((await app.count('pg_stat_activity where datname = current_database()')) <= CONNECTIONS)
  const doctor = await plaza(['doctor'], { ...testSecrets(), ...settings })
  assert.equal(doctor.code, 0, doctor.out)
})

test('prints a one-line error when the URL lacks the PgBouncer parameter', { skip }, async () => {
  assert.ok(world)
  const url = new URL(world.settings.DATABASE_URL)
  url.searchParams.delete('pgbouncer')
  const { code, out } = await plaza(['migrate'], { ...testSecrets(), DATABASE_URL: url.href })
  assert.notEqual(code, 0)
  assert.match(out, /unsupported startup parameter/)
  assert.equal(out.trim().split('\n').length, 1, out)
})
