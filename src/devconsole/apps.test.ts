import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeKey,
  times,
  valuesOf,
} from '../../test/make.ts'
import { SCOPES } from '../keys/scopes.ts'

const app = await startApp()
const alice = await app.user()
const full = {
  app_name: '강의 카메라',
  app_type: 'server',
  description: 'Publishes what cameras record.',
  redirect_uris: ['https://river.example.com/cb?x=1', 'http://127.0.0.1:8400/cb'],
  scopes: ['contents:read', 'jump:write'],
}
const named = (answer: Answer) => answer.error?.details?.map(({ field }) => field) ?? []

test('returns the fields as sent, and null or empty lists for missing ones', async () => {
  const { app: made } = dataOf(
    await alice.post('/devconsole/apps', { ...full, owner_id: 'x' }),
    201,
  )
  const { id, created_at } = made
  assert.match(id, /^app_/)
  assert.deepEqual(made, { id, ...full, created_at, updated_at: created_at })
  assert.deepEqual(dataOf(await alice.get(`/devconsole/apps/${id}`)).app, made)
  const undescribed = await makeApp(alice, { description: '' })
  assert.deepEqual(
    [undescribed.description, undescribed.redirect_uris, undescribed.scopes],
    [null, [], []],
  )
  const { apps } = dataOf(await alice.get('/devconsole/apps'))
  assert.deepEqual(apps, [undescribed, made])
})

test('names every invalid field and creates no app', async () => {
  const user = await app.user()
  const bad: [Record<string, unknown>, string][] = [
    [{ app_name: undefined }, 'app_name'],
    [{ app_name: ' ' }, 'app_name'],
    [{ app_name: 'x'.repeat(101) }, 'app_name'],
    [{ app_type: undefined }, 'app_type'],
    [{ app_type: 'desktop' }, 'app_type'],
    [{ description: 5 }, 'description'],
    [{ description: 'x'.repeat(1001) }, 'description'],
    [{ scopes: 'contents:read' }, 'scopes'],
    [{ scopes: ['contents:read', 'contents:delete'] }, 'scopes.1'],
    [{ scopes: ['Contents:Read'] }, 'scopes.0'],
    [{ scopes: [null] }, 'scopes.0'],
    [{ redirect_uris: 'https://a.example' }, 'redirect_uris'],
    [{ redirect_uris: Array(21).fill('https://a.example') }, 'redirect_uris'],
    [{ redirect_uris: ['https://a.example', 5] }, 'redirect_uris.1'],
  ]
  for (const [over, field] of bad) {
    assertInvalid(await user.post('/devconsole/apps', { ...full, ...over }), field)
  }
  assert.deepEqual(dataOf(await user.get('/devconsole/apps')).apps, [])
})

test('accepts https redirect URIs and http on loopback, and rejects ambiguous ones', async () => {
  const good = [
    'https://a.example',
    'https://a.example:8443/cb?next=%2F',
    'HTTPS://A.example/cb',
    'http://127.0.0.1:3000/cb',
    'http://127.0.0.2/',
    'http://[::1]/cb',
    'http://localhost:9/',
  ]
  const { redirect_uris } = await makeApp(alice, { redirect_uris: [...good, good[0]] })
  assert.deepEqual(redirect_uris, good)
  const bad = [
    'http://a.example/cb',
    'http://127.0.0.1.a.example/',
    'http://localhost.a.example/',
    'https://a.example/cb#part',
    'https://a.example/#',
    'https://user:pass@a.example/',
    'https://@a.example/',
    'http://a.example@localhost/',
    'https://*.a.example/cb',
    'https://a.example/*',
    'https://a.example\\@b.example/',
    'https:a.example',
    'https:///a.example',
    '//a.example',
    'javascript:alert(1)',
    'ftp://a.example',
    'custom.scheme://cb',
    'https://',
    'https://a.example/c b',
    'https://a.exam\tple/',
    'https://한강.example/',
    'not an address',
    `https://a.example/${'x'.repeat(2000)}`,
  ]
  for (const uri of bad) {
    const answer = await alice.post('/devconsole/apps', {
      ...full,
      redirect_uris: ['https://a.example', uri],
    })
    assertError(answer, 422, 'VALIDATION_ERROR')
    assert.deepEqual(named(answer), ['redirect_uris.1'], uri)
  }
})

test('changes only the given fields', async () => {
  const made = await makeApp(alice, full)
  const path = `/devconsole/apps/${made.id}`
  assert.deepEqual(dataOf(await alice.patch(path, {})).app, made)
  app.clock.advance(1000)
  const changed = dataOf(await alice.patch(path, { app_name: 'Renamed', description: null })).app
  assert.deepEqual(changed, {
    ...made,
    app_name: 'Renamed',
    description: null,
    updated_at: changed.updated_at,
  })
  assert.ok(changed.updated_at > made.updated_at)
  const rest = { app_type: 'cli', redirect_uris: [], scopes: ['posts:read', 'posts:read'] }
  const second = dataOf(await alice.patch(path, rest)).app
  assert.deepEqual([second.app_type, second.redirect_uris], ['cli', []])
  assert.deepEqual([second.scopes, second.app_name], [['posts:read'], 'Renamed'])
  for (const [body, field] of [
    [{ app_name: null }, 'app_name'],
    [{ app_type: 'x' }, 'app_type'],
    [{ redirect_uris: ['http://a.example'] }, 'redirect_uris.0'],
    [{ scopes: ['x'] }, 'scopes.0'],
  ] as const) {
    assertInvalid(await alice.patch(path, body), field)
  }
  assert.deepEqual(dataOf(await alice.get(path)).app, second)
})

test('keeps concurrent changes of different fields', async () => {
  const { id } = await makeApp(alice)
  const sibling = await app.sibling()
  const changes = [
    { app_name: 'Together' },
    { app_type: 'game' },
    { description: 'd' },
    { scopes: ['jump:read'] },
    { redirect_uris: ['https://a.example'] },
  ]
  await times(changes.length, async (i) => {
    const who = i % 2 ? alice : alice.at(sibling.url)
    dataOf(await who.patch(`/devconsole/apps/${id}`, changes[i]))
  })
  const { app: after } = dataOf(await alice.get(`/devconsole/apps/${id}`))
  const { created_at, updated_at } = after
  assert.deepEqual(after, Object.assign({ id, created_at, updated_at }, ...changes))
})

test('deletes an app with its keys, also with keys created concurrently', async () => {
  const { id } = await makeApp(alice, { scopes: ['contents:write'] })
  const path = `/devconsole/apps/${id}`
  const before = await makeKey(alice, id)
  const [removed, ...made] = await Promise.all([
    alice.delete(path),
    ...Array.from({ length: 6 }, () =>
      alice.post(`${path}/keys`, { key_name: 'late', environment: 'live' }),
    ),
  ])
  assert.equal(removed.status, 204)
  const raw = [before.raw_key]
  for (const answer of made) {
    if (answer.status === 404) assertError(answer, 404, 'APP_NOT_FOUND')
    else raw.push(dataOf(answer, 201).raw_key)
  }
  for (const key of raw) {
    const headers = { 'x-api-key': key }
    assertError(await app.anon.post('/contents', {}, { headers }), 401, 'UNAUTHORIZED')
  }
  for (const answer of [
    await alice.get(path),
    await alice.patch(path, { app_name: 'x' }),
    await alice.delete(path),
    await alice.get(`${path}/keys`),
    await alice.post(`${path}/keys`, { key_name: 'k', environment: 'live' }),
  ]) {
    assertError(answer, 404, 'APP_NOT_FOUND')
  }
  assertError(await alice.post(`/devconsole/keys/${before.key.id}/rotate`), 404, 'KEY_NOT_FOUND')
  assert.equal((await alice.delete(`/devconsole/keys/${before.key.id}`)).status, 204)
  const { apps } = dataOf(await alice.get('/devconsole/apps'))
  assert.ok(apps.every((entry: { id: string }) => entry.id !== id))
})

test('deletes the webhook secrets of an app, also of webhooks created concurrently', async () => {
  const { id } = await makeApp(alice)
  const path = `/devconsole/apps/${id}`
  const url = `${path}/webhooks`
  const body = { endpoint_url: 'https://a.example/hook', events: ['content.published'] }
  const before = await times(3, async () => dataOf(await alice.post(url, body), 201).webhook)
  const rotating = `/devconsole/webhooks/${before[0].id}/rotate-secret`
  dataOf(await alice.post(rotating))
  const [removed] = await Promise.all([
    alice.delete(path),
    ...Array.from({ length: 6 }, () => alice.post(url, body)),
    ...before.map((entry) => alice.post(`/devconsole/webhooks/${entry.id}/rotate-secret`)),
  ])
  assert.equal(removed.status, 204)
  const remainingRows = await app.sql(
    `select id from webhooks where app_id = '${id}' and (is_active = 1 or deleted_at is null or
      secret is not null or signing_secret is not null or previous_signing_secret is not null)`,
  )
  assert.deepEqual(remainingRows, [])
})

test('allows a user at most 100 apps, also with concurrent requests', async () => {
  const user = await app.user()
  const sibling = await app.sibling()
  for (let i = 0; i < 95; i++) await makeApp(user)
  const answers = await times(12, (i) =>
    (i % 2 ? user : user.at(sibling.url)).post('/devconsole/apps', full),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  for (const answer of refused) assertError(answer, 409, 'LIMIT_REACHED')
  assert.equal(refused.length, 7)
  const { apps } = dataOf(await user.get('/devconsole/apps'))
  assert.equal(apps.length, 100)
  assert.equal((await user.delete(`/devconsole/apps/${apps[50].id}`)).status, 204)
  await makeApp(user)
})

test('describes scopes in the language of the request', async () => {
  const [english, korean] = await Promise.all(
    ['en', 'ko'].map(async (language) => {
      const headers = { 'accept-language': language }
      return dataOf(await alice.get('/devconsole/scopes', { headers })).scopes
    }),
  )
  assert.deepEqual(valuesOf(english, 'name'), SCOPES)
  for (const [i, { name, resource, action, description }] of english.entries()) {
    assert.equal(name, `${resource}:${action}`)
    assert.match(description, /^[A-Z]/)
    assert.match(korean[i].description, /[가-힣]/)
  }
})
