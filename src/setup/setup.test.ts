import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from '../../test/captcha.ts'
import { startApp, type TestApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'
import { anyone } from '../../test/actors.ts'
import { setupCode } from './code.ts'

const input = (app: TestApp, over: object = {}) => ({
  code: setupCode(app.deps.config),
  handle: 'owner',
  email: 'owner@example.test',
  password: 'a long walk by the river',
  site_name: 'Our place',
  ...over,
})
const siteOf = async (app: TestApp) => dataOf(await app.anon.get('/site')).site

test('creates the first administrator, names the site, and is gone on every process', async () => {
  const app = await startApp()
  const sibling = await app.sibling()
  assert.equal((await siteOf(app)).setup_required, true)
  assertError(await app.anon.get('/setup'), 405, 'METHOD_NOT_ALLOWED')
  assert.equal((await app.anon.request('OPTIONS', '/setup')).status, 204)
  await register(app.anon, 'earlier')

  const code = setupCode(app.deps.config).toLowerCase().replaceAll('-', ' ')
  const { user, tokens } = dataOf(await sibling.anon.post('/setup', input(app, { code })), 201)
  assert.deepEqual([user.handle, user.role], ['owner', 'admin'])
  const admin = anyone(app.url, { authorization: `Bearer ${tokens.access_token}` })
  dataOf(await admin.get('/admin/users'))
  const site = await siteOf(app)
  assert.deepEqual([site.setup_required, site.name], [false, 'Our place'])
  const { audit } = dataOf(await admin.get('/admin/audit?action=site_set_up'))
  assert.deepEqual([audit.length, audit[0].actor.id], [1, user.id])

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const { anon } of [app, sibling]) {
      const body = method === 'POST' ? input(app, { handle: 'second' }) : undefined
      assertError(await anon.request(method, '/setup', body), 404, 'ROUTE_NOT_FOUND')
    }
  }
  assertError(await app.anon.post('/setup', undefined, { raw: 'no json' }), 404, 'ROUTE_NOT_FOUND')
  await sibling.close()
})

test('checks the fields, then the code, then the handle, and creates nothing', async () => {
  const app = await startApp()
  const taken = await app.user()
  const send = (over: object) => app.anon.post('/setup', input(app, over))
  assertInvalid(await send({ code: 'wrong', password: 'short' }), 'password')
  assertInvalid(await send({ handle: 'admin' }), 'handle')
  assertInvalid(await send({ email: 'nobody' }), 'email')
  assertInvalid(await send({ site_name: 'x'.repeat(51) }), 'site_name')
  assertInvalid(await send({ site_name: undefined }), 'site_name')
  assertInvalid(await send({ site_name: 'Our\nplace' }), 'site_name')
  assertError(await send({ code: 'AAAAA-AAAAA-AAAAA-AAAAA' }), 422, 'SETUP_CODE_INVALID')
  assertError(await send({ code: 'x', handle: taken.handle }), 422, 'SETUP_CODE_INVALID')
  assertError(await send({ handle: taken.handle.toUpperCase() }), 409, 'HANDLE_TAKEN')
  assertError(await send({ email: taken.email }), 409, 'EMAIL_TAKEN')
  await app.sql(`insert into legacy_accounts values ('former', 'former@example.test', 1)`)
  assertError(await send({ handle: 'former' }), 409, 'LEGACY_ACCOUNT_CONFLICT')
  const site = await siteOf(app)
  assert.deepEqual([site.setup_required, site.name], [true, 'Plaza'])
  dataOf(await send({}), 201)
})

test('accepts one of two simultaneous setups', async () => {
  const app = await startApp()
  const sibling = await app.sibling()
  const answers = await Promise.all(
    [app, sibling].map(({ anon }, i) =>
      anon.post('/setup', input(app, { handle: `owner_${i}`, email: `o${i}@example.test` })),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 404])
  const rows = await app.sql(`select id from users where role = 'admin'`)
  assert.equal(rows.length, 1)
  await sibling.close()
})

test('limits wrong codes from an address', async () => {
  const app = await startApp({ TRUST_PROXY: '1' })
  const far = anyone(app.url, { 'x-forwarded-for': '203.0.113.9' })
  for (let i = 0; i < 10; i++) {
    const answer = await far.post('/setup', input(app, { code: 'wrong' }))
    assertError(answer, 422, 'SETUP_CODE_INVALID')
  }
  const refused = await far.post('/setup', input(app))
  assertError(refused, 429, 'RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const otherClient = anyone(app.url, { 'x-forwarded-for': '203.0.113.10' })
  dataOf(await otherClient.post('/setup', input(app)), 201)
})

test('sets the refresh token as a cookie for the web client', async () => {
  const app = await startApp()
  const answer = await app.anon.post('/setup', input(app), { headers: { 'x-session-cookie': '1' } })
  assert.equal(dataOf(answer, 201).tokens.refresh_token, null)
  assert.match(answer.headers.get('set-cookie') ?? '', /HttpOnly/)
})
