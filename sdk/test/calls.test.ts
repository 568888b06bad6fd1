import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeApp, makeContent, makeKey, valuesOf } from '../../test/make.ts'
import { isPlazaError, PlazaError } from '../src/index.ts'
import { answer, clientOf, serverOf } from './clients.ts'

const app = await startApp()

test('sends each call to its operation and returns data unchanged', async () => {
  const alice = await app.user()
  const { plaza, sent } = clientOf(app.url, alice)
  const title = '한강 & the river?'
  const { content } = await plaza.contents.create({ category: 'hype', type: 'article', title })
  assert.equal(content.title, title)
  const raw = await alice.get(`/contents/${content.id}`)
  assert.deepEqual((await plaza.contents.get(content.id)).content, raw.data.content)
  assert.equal((await plaza.contents.update(content.id, { title: 'Other' })).content.title, 'Other')
  assert.equal((await plaza.contents.like(content.id)).is_liked, true)
  assert.equal(await plaza.contents.archive(content.id), undefined)
  assert.equal((await plaza.system.checkHealth()).status, 'ok')
  assert.equal(typeof (await plaza.games.getWasmContract()).version, 'number')
  assert.equal((await plaza.notifications.markAllRead()).updated, 0)
  const [made, read, changed] = sent
  assert.deepEqual(JSON.parse(String(made?.init.body)), {
    category: 'hype',
    type: 'article',
    title,
  })
  assert.equal(read?.target, `/api/v1/contents/${content.id}`)
  assert.deepEqual(JSON.parse(String(changed?.init.body)), { title: 'Other' })
})

test('sends a field in both path and body when given once', async () => {
  const { plaza, sent } = clientOf(app.url, await app.user())
  const id = 'cnt_01kazqjv2gf8k9w3m5xrt7n4de'
  await assert.rejects(plaza.games.play(id), { code: 'GAME_NOT_FOUND' })
  assert.equal(sent[0]?.target, `/api/v1/jump/games/${id}/play`)
  assert.equal(sent[0]?.init.body, JSON.stringify({ id }))
})

test('escapes ids in the path, and rejects a missing id before sending anything', async () => {
  const { plaza, sent } = clientOf(app.url)
  await assert.rejects(plaza.contents.get('../auth/me?x=#'), { code: 'CONTENT_NOT_FOUND' })
  assert.equal(sent[0]?.target, '/api/v1/contents/..%2Fauth%2Fme%3Fx%3D%23')
  for (const id of ['', undefined, null, {}, '.', '..']) {
    await assert.rejects(plaza.contents.get(id as string), TypeError)
  }
  assert.equal(sent.length, 1)
})

test('reports a failure by code, status, details and request id', async () => {
  const { plaza } = clientOf(app.url, await app.user())
  const failed = plaza.posts.create({ body: '' })
  await assert.rejects(failed, (error) => {
    assert.ok(isPlazaError(error, 'VALIDATION_ERROR'))
    assert.ok(!isPlazaError(error, 'UNAUTHORIZED'))
    assert.ok(error instanceof PlazaError)
    assert.equal(error.status, 422)
    assert.deepEqual(valuesOf(error.details, 'field'), ['body'])
    assert.match(error.requestId ?? '', /^req_/)
    assert.equal(error.retryAfter, null)
    return true
  })
  assert.ok(!isPlazaError(new Error('other')))
})

test("throws UNEXPECTED_ANSWER when the response is not one of Plaza's", async () => {
  const bodies: [number, string][] = [
    [200, '<html>Welcome to the hotel</html>'],
    [200, '{"data":1}'],
    [200, 'null'],
    [200, ''],
    [404, '{"message":"Not Found"}'],
    [502, '<h1>Bad Gateway</h1>'],
  ]
  for (const [status, body] of bodies) {
    const server = await serverOf((_, response) => response.writeHead(status).end(body))
    const { plaza } = clientOf(server.url, undefined, { retries: 0 })
    await assert.rejects(plaza.feeds.list(), { code: 'UNEXPECTED_ANSWER', status })
  }
  const nowhere = clientOf('http://127.0.0.1:9', undefined, { retries: 0 })
  await assert.rejects(nowhere.plaza.feeds.list(), { code: 'NETWORK', status: 0 })
})

test('requests messages in the chosen language, also after it changes', async () => {
  let language: 'ko' | 'en' = 'ko'
  const { plaza } = clientOf(app.url, undefined, { language: () => language })
  const messageOf = () => plaza.me.get().catch((error: PlazaError) => error.message)
  assert.match(String(await messageOf()), /[가-힣]/)
  language = 'en'
  assert.doesNotMatch(String(await messageOf()), /[가-힣]/)
})

test('signs calls with an API key instead of a session', async () => {
  const owner = await app.user()
  const scopes = ['contents:write']
  const { id } = await makeApp(owner, { scopes })
  const { raw_key } = await makeKey(owner, id, { scopes })
  const { plaza } = clientOf(app.url, undefined, { apiKey: raw_key })
  const input = { category: 'hype', type: 'image', title: 'By a program' } as const
  const { content } = await plaza.contents.create(input)
  assert.equal(content.creator.id, owner.id)
  const anonymous = clientOf(app.url).plaza.contents.create(input)
  await assert.rejects(anonymous, { code: 'UNAUTHORIZED' })
})

test('sends no credentials to operations that ignore them', async () => {
  const alice = await app.user()
  const { id } = await makeContent(alice)
  const { plaza, sent } = clientOf(app.url, alice)
  await plaza.site.get()
  await plaza.contents.get(id)
  assert.deepEqual(
    sent.map(({ headers }) => headers.has('authorization')),
    [false, true],
  )
})

test('passes unknown fields through in both directions', async () => {
  const server = await serverOf((_, response, { body }) => {
    response.end(JSON.stringify({ success: true, data: { echoed: JSON.parse(body), later: 1 } }))
  })
  const input = { body: 'x', mood: 'calm' }
  const data: unknown = await clientOf(server.url).plaza.posts.create(input)
  assert.deepEqual(data, { echoed: input, later: 1 })
})

test('does not follow redirects, so no other server receives a key or a body', async () => {
  const otherServer = await serverOf((_, response) => answer(response, 200, { data: {} }))
  for (const status of [301, 302, 307, 308]) {
    const { url, asked } = await serverOf((_, response, { target }) => {
      response.writeHead(status, { location: otherServer.url + target }).end()
    })
    const { plaza } = clientOf(url, undefined, { apiKey: 'plk_live_x' })
    await assert.rejects(plaza.apps.list(), { code: 'UNEXPECTED_ANSWER', status })
    await assert.rejects(plaza.signIn({ identifier: 'mina', password: 'x' }), { status })
    await assert.rejects(plaza.upload(new Blob(['x'])), { code: 'UNEXPECTED_ANSWER', status })
    assert.equal(asked.length, 3)
  }
  assert.deepEqual(otherServer.asked, [])
})

test('throws a TypeError and sends nothing when a header is invalid', async () => {
  const { plaza, sent } = clientOf(app.url)
  const split = { idempotencyKey: 'one\r\nx-api-key: two' }
  await assert.rejects(plaza.posts.create({ body: 'Hello.' }, split), TypeError)
  await assert.rejects(plaza.feeds.list({}, { headers: { 'x-note': '한강' } }), TypeError)
  const keyed = clientOf(app.url, undefined, { apiKey: 'plk_live_x\ny' })
  await assert.rejects(keyed.plaza.apps.list(), TypeError)
  assert.deepEqual([sent, keyed.sent], [[], []])
})
