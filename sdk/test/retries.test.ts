import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeContent } from '../../test/make.ts'
import { answer, clientOf, refuse, serverOf } from './clients.ts'

const user = { token: 'a', refreshToken: 'r' }

function failing(
  times: number,
  status: number,
  code: string,
  headers: Record<string, string> = {},
) {
  return serverOf((number, response) => {
    if (number <= times) refuse(response, status, code, headers)
    else answer(response, 200, { data: { number } })
  })
}

test('retries reads after temporary failures, as often as configured', async () => {
  for (const status of [502, 503, 504]) {
    const server = await failing(2, status, 'SERVICE_UNAVAILABLE')
    const { plaza } = clientOf(server.url)
    assert.deepEqual(await plaza.feeds.list({ page: 2 }), { number: 3 })
    assert.deepEqual(
      new Set(server.asked.map(({ target }) => target)),
      new Set(['/api/v1/feeds?page=2']),
    )
  }
  const server = await failing(3, 503, 'SERVICE_UNAVAILABLE')
  await assert.rejects(clientOf(server.url).plaza.feeds.list(), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(server.asked.length, 3)
  const none = await failing(1, 503, 'SERVICE_UNAVAILABLE')
  await assert.rejects(clientOf(none.url, undefined, { retries: 0 }).plaza.feeds.list(), {
    status: 503,
  })
  assert.equal(none.asked.length, 1)
})

test('retries when the connection breaks, also in the middle of a response', async () => {
  const server = await serverOf((number, response) => {
    if (number === 1) response.destroy()
    else if (number === 2) {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{"succ')
      setTimeout(() => response.destroy(), 20)
    } else answer(response, 200, { data: { number } })
  })
  assert.deepEqual(await clientOf(server.url).plaza.feeds.list(), { number: 3 })
})

test('retries writes with the same idempotency key, and uses a new key for each call', async () => {
  const server = await serverOf((number, response) => {
    if (number === 1) response.destroy()
    else if (number === 2) refuse(response, 409, 'REQUEST_IN_PROGRESS', { 'retry-after': '0' })
    else answer(response, 201, { data: { number } })
  })
  const { plaza } = clientOf(server.url, user)
  assert.deepEqual(await plaza.posts.create({ body: 'hello' }), { number: 3 })
  await plaza.posts.create({ body: 'hello' })
  await plaza.posts.create({ body: 'hello' }, { idempotencyKey: 'mine' })
  const keys = server.asked.map(({ headers }) => headers['idempotency-key'])
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
  assert.deepEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]])
  assert.notEqual(keys[3], keys[0])
  assert.equal(keys[4], 'mine')
  assert.deepEqual(new Set(server.asked.map(({ body }) => body)), new Set(['{"body":"hello"}']))
})

test('does not retry calls that must not run twice', async () => {
  const server = await failing(100, 503, 'SERVICE_UNAVAILABLE')
  const { plaza } = clientOf(server.url, user)
  const register = { handle: 'mina', email: 'm@example.test', password: 'a long password' }
  const calls = [
    () => plaza.signIn({ identifier: 'mina', password: 'x' }),
    () => plaza.register(register),
    () => plaza.upload(new Blob(['x'])),
    () => plaza.captcha.createChallenge(),
    () => plaza.me.update({ current_password: 'x', new_password: 'a long password' }),
  ]
  for (const call of calls) await assert.rejects(call, { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(server.asked.length, calls.length)
})

test('does not retry permanent failures', async () => {
  const refusals: [number, string, Record<string, string>?][] = [
    [404, 'CONTENT_NOT_FOUND'],
    [409, 'CONTENT_ARCHIVED'],
    [422, 'VALIDATION_ERROR'],
    [500, 'INTERNAL_ERROR'],
    [507, 'STORAGE_FULL'],
    [429, 'RATE_LIMITED'],
    [429, 'RATE_LIMITED', { 'retry-after': '6' }],
    [503, 'SERVICE_UNAVAILABLE', { 'retry-after': '3600' }],
  ]
  for (const [status, code, headers] of refusals) {
    const server = await failing(1, status, code, headers)
    const { plaza } = clientOf(server.url)
    const retryAfter = headers ? Number(headers['retry-after']) : null
    await assert.rejects(plaza.contents.get('x'), { code, status, retryAfter })
    assert.equal(server.asked.length, 1, code)
  }
})

test('waits as long as a short Retry-After asks', async () => {
  const server = await failing(1, 429, 'RATE_LIMITED', { 'retry-after': '1' })
  const startedAt = Date.now()
  await clientOf(server.url).plaza.feeds.list()
  assert.ok(Date.now() - startedAt >= 990)
  assert.equal(server.asked.length, 2)
})

test('aborts a call at once: before sending, while waiting for the response, and between attempts', async () => {
  const silent = await serverOf(() => {})
  const busy = await failing(100, 429, 'RATE_LIMITED', { 'retry-after': '5' })
  const before = AbortSignal.abort()
  await assert.rejects(clientOf(silent.url).plaza.feeds.list({}, { signal: before }), {
    code: 'ABORTED',
  })
  assert.equal(silent.asked.length, 0)
  for (const { url } of [silent, busy]) {
    const startedAt = Date.now()
    const { plaza } = clientOf(url)
    const call = plaza.feeds.list({}, { signal: AbortSignal.timeout(200) })
    await assert.rejects(call, { code: 'ABORTED', status: 0 })
    assert.ok(Date.now() - startedAt < 2000)
  }
  assert.equal(busy.asked.length, 1)
})

test('aborts one call that waits for a refresh, while the refresh continues for the others', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const tokens = { access_token: 'b', refresh_token: 'r', expires_in: 60 }
  const server = await serverOf((_, response, { target, headers }) => {
    if (target.endsWith('/refresh'))
      void held.then(() => answer(response, 200, { data: { tokens } }))
    else if (headers.authorization === 'Bearer a') refuse(response, 401, 'UNAUTHORIZED')
    else answer(response, 200, { data: { ok: true } })
  })
  const { plaza, countRequests } = clientOf(server.url, user)
  const patient = plaza.me.get()
  const impatient = plaza.me.get({}, { signal: AbortSignal.timeout(200) })
  await assert.rejects(impatient, { code: 'ABORTED' })
  release()
  assert.deepEqual(await patient, { ok: true })
  assert.equal(countRequests('POST', '/api/v1/auth/refresh'), 1)
})

test('throws TIMEOUT when the time limit is reached', async () => {
  const silent = await serverOf(() => {})
  const { plaza } = clientOf(silent.url, undefined, { timeoutMs: 100 })
  await assert.rejects(plaza.feeds.list(), { code: 'TIMEOUT' })
  await assert.rejects(plaza.captcha.createChallenge({}, { timeoutMs: 50 }), { code: 'TIMEOUT' })
  assert.equal(silent.asked.length, 2)
})

test('performs a write once when its response is lost', async () => {
  const app = await startApp()
  const alice = await app.user()
  const content = await makeContent(alice)
  const { token, refreshToken } = await app.user()
  let lost = 0
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== 'POST' || ++lost > 1) return response
    throw new TypeError('fetch failed')
  }
  const { plaza } = clientOf(app.url, { token, refreshToken }, { fetch: losing })
  assert.deepEqual(await plaza.contents.toggleLike(content.id), { is_liked: true, like_count: 1 })
  assert.equal(lost, 2)
  assert.equal((await plaza.contents.get(content.id)).content.is_liked, true)
})
