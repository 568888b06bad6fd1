import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'
import { ERRORS } from '../errors.ts'
import { en } from '../messages/en.ts'
import { ko } from '../messages/ko.ts'

const app = await startApp()
const { anon } = app
const alice = await app.user()
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('sends the envelope and its headers with every kind of response', async () => {
  const answers = [
    await anon.get('/api/health'),
    await alice.get('/auth/me'),
    await anon.get('/auth/me'),
    await anon.get('/nope'),
    await anon.get('/api/v2/feeds'),
    await anon.get('/api/feeds'),
    await anon.request('PATCH', '/auth/login'),
    await alice.post('/auth/login', { identifier: 5 }),
    await alice.post('/auth/login', undefined, { raw: '{' }),
    await anon.post('/auth/oauth/x'),
    await (await app.user()).post('/auth/logout'),
  ]
  for (const { status, headers, json, text } of answers) {
    const id = headers.get('x-request-id') ?? ''
    assert.match(id, UUID7)
    assert.equal(headers.get('x-api-version'), 'v1')
    assert.equal(headers.get('x-ratelimit-limit'), '1000')
    assert.equal(headers.get('x-ratelimit-remaining'), '999')
    const reset = Number(headers.get('x-ratelimit-reset'))
    assert.ok(reset % 60 === 0 && reset > Date.now() / 1000 - 1 && reset <= Date.now() / 1000 + 61)
    assert.equal(headers.get('content-language'), 'ko')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    if (status === 204) {
      assert.equal(text, '')
      assert.equal(headers.get('cache-control'), 'private, no-store')
      continue
    }
    assert.match(headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/)
    assert.equal(json.success, status < 400)
    assert.equal(json.meta.request_id, `req_${id}`)
    assert.equal(json.meta.version, 'v1')
    assert.match(json.meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    if (status >= 400) assert.equal(ERRORS[json.error.code as keyof typeof ERRORS], status)
  }
})

test("uses the client's UUID as request id, in lower case, and ignores any other value", async () => {
  const uuid = 'A4F1B2C3-D4E5-4F60-8123-456789ABCDEF'
  for (const sent of [uuid, '00000000-0000-0000-0000-000000000000']) {
    const answer = await anon.get('/nope', { headers: { 'x-request-id': sent } })
    assert.equal(answer.headers.get('x-request-id'), sent.toLowerCase())
  }
  for (const sent of ['no uuid', `req_${uuid}`, `${uuid},${uuid}`, 'a'.repeat(5000), '${jndi:x}']) {
    const { headers, text } = await anon.get('/nope', { headers: { 'x-request-id': sent } })
    assert.match(headers.get('x-request-id') ?? '', UUID7)
    assert.ok(!text.includes(sent))
  }
})

test('answers in the language of Accept-Language, and in Korean when it is unknown', async () => {
  const cases: [string, string][] = [
    ['en', 'en'],
    ['en-GB,en;q=0.9', 'en'],
    ['fr, en;q=0.2', 'en'],
    ['ko-KR', 'ko'],
    ['en;q=0.4, ko', 'ko'],
    ['en;q=0', 'ko'],
    ['fr', 'ko'],
    [',,;;q=', 'ko'],
    ['english', 'ko'],
    ['__proto__', 'ko'],
    ['x'.repeat(4000), 'ko'],
  ]
  for (const [sent, language] of cases) {
    const { headers, error } = await anon.get('/nope', { headers: { 'accept-language': sent } })
    assert.equal(headers.get('content-language'), language, sent)
    assert.equal(/[가-힣]/.test(error?.message ?? ''), language === 'ko')
  }
})

test('has the same message keys and placeholders in both languages, and a text for every error', () => {
  assert.deepEqual(Object.keys(ko).sort(), Object.keys(en).sort())
  const blanks = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
  for (const [key, text] of Object.entries(en)) {
    assert.deepEqual(blanks(ko[key as keyof typeof en]), blanks(text), key)
  }
  for (const code of Object.keys(ERRORS)) assert.ok(`error.${code}` in en, code)
})

test('answers 405 with Allow for an unsupported method, and CORS headers for OPTIONS', async () => {
  const wrong = await anon.request('PUT', '/auth/me')
  assertError(wrong, 405, 'METHOD_NOT_ALLOWED')
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD, PATCH, OPTIONS')
  const options = await anon.request('OPTIONS', '/auth/me', undefined, {
    headers: { origin: 'https://app.example' },
  })
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('access-control-allow-origin'), '*')
  assert.equal(options.headers.get('access-control-allow-credentials'), null)
  assert.match(options.headers.get('access-control-allow-methods') ?? '', /PATCH/)
  assertError(await anon.request('OPTIONS', '/nope'), 404, 'ROUTE_NOT_FOUND')
})

test('allows tracing headers in a preflight', async () => {
  const { status, headers } = await anon.request('OPTIONS', '/feeds', undefined, {
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'baggage, sentry-trace, traceparent, tracestate',
    },
  })
  assert.equal(status, 204)
  const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
  for (const name of ['traceparent', 'tracestate', 'sentry-trace', 'baggage']) {
    assert.ok(allowed.includes(name), name)
  }
})

test('answers HEAD like GET, without a body', async () => {
  const head = await alice.request('HEAD', '/auth/me')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal((await anon.request('HEAD', '/auth/me')).status, 401)
  assert.equal((await anon.request('HEAD', '/nope')).status, 404)
})

test('checks in this order: route, method, session, media type, size, body, resource', async () => {
  const big = JSON.stringify({ body: 'x'.repeat(300_000) })
  const text = { headers: { 'content-type': 'text/plain' } }
  assertError(await alice.post('/nope', undefined, { raw: big }), 404, 'ROUTE_NOT_FOUND')
  assertError(
    await anon.request('PUT', '/posts', undefined, { raw: big }),
    405,
    'METHOD_NOT_ALLOWED',
  )
  assertError(await anon.post('/posts', undefined, { raw: big }), 401, 'UNAUTHORIZED')
  assertError(await anon.post('/posts', undefined, { raw: 'x', ...text }), 401, 'UNAUTHORIZED')
  assertError(
    await alice.post('/posts', undefined, { raw: big, ...text }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  )
  assertError(await alice.post('/posts', undefined, { raw: big }), 413, 'PAYLOAD_TOO_LARGE')
  assertInvalid(await alice.post('/posts/pst_x/replies', {}), 'body')
  assertError(await alice.post('/posts/pst_x/replies', { body: 'x' }), 404, 'POST_NOT_FOUND')
})

test('clamps integers in queries, and rejects other text and repeated or empty keys', async () => {
  for (const [sent, page] of [
    ['0', 1],
    ['-5', 1],
    ['007', 7],
    ['99999999999999999999', 1_000_000_000],
  ]) {
    const { pagination } = dataOf(await anon.get(`/notifications?page=${sent}`))
    assert.equal(pagination.page, page)
  }
  assert.equal(dataOf(await anon.get('/notifications?per_page=5000')).pagination.per_page, 100)
  for (const sent of [
    '1.5',
    '1e3',
    '0x10',
    '%201',
    '1%20',
    '+1',
    '%2B1',
    '%091',
    '1.0',
    '１',
    'NaN',
    '',
    '1&page=1',
  ]) {
    assertInvalid(await anon.get(`/notifications?page=${sent}`), 'page')
  }
  dataOf(await anon.get('/notifications?pages=x&page[]=2&__proto__=1&x=1&x=2&y='))
})

test('sends a weak ETag and 304 for public responses, and makes responses with a session private', async () => {
  const path = `/creators/${alice.handle}`
  const first = await anon.get(path)
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^W\/"[^"]+"$/)
  assert.equal((await anon.get(path)).headers.get('etag'), etag)
  for (const sent of [etag, `"x", ${etag}`, '*']) {
    const same = await anon.get(path, { headers: { 'if-none-match': sent } })
    assert.deepEqual([same.status, same.text], [304, ''])
  }
  assert.equal((await anon.get(path, { headers: { 'if-none-match': '"x"' } })).status, 200)
  const own = await alice.get(path)
  assert.equal(own.headers.get('cache-control'), 'private, no-store')
  assert.equal(own.headers.get('etag'), null)
})

test('sends no CORS headers to origins that are not listed', async () => {
  const strict = await startApp({ CORS_ORIGINS: 'https://one.example,https://two.example/' })
  const from = (origin: string) => strict.anon.get('/api/health', { headers: { origin } })
  assert.equal(
    (await from('https://two.example')).headers.get('access-control-allow-origin'),
    'https://two.example',
  )
  assert.equal(
    (await from('https://evil.example')).headers.get('access-control-allow-origin'),
    null,
  )
  assert.equal((await from('null')).headers.get('access-control-allow-origin'), null)
})

test('enforces quotas per caller and leaves the placeholder headers unchanged', async () => {
  const strict = await startApp({ RATE_LIMITS: 'enforce', TRUST_PROXY: '1' })
  const from = (address: string) =>
    strict.anon.get('/feeds', { headers: { 'x-forwarded-for': address } })
  const answers = await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.7')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 30)
  const refused = answers.find(({ status }) => status === 429)
  assert.ok(refused)
  assertError(refused, 429, 'RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '999')
  const otherAddress = await from('203.0.113.8')
  assert.equal(otherAddress.headers.get('ratelimit-policy'), '"anonymous";q=30;w=60')
  assert.match(otherAddress.headers.get('ratelimit') ?? '', /^"anonymous";r=29;t=\d+$/)
  const bob = await strict.user()
  for (const path of ['/auth/me', `/creators/${bob.handle}/followers`]) {
    assert.equal((await bob.get(path)).headers.get('ratelimit-policy'), '"regular";q=60;w=60')
  }
  for (let i = 0; i < 40; i++) dataOf(await strict.anon.get('/api/health'))
})

test('counts failed requests against the quota and sends them the quota headers', async () => {
  const strict = await startApp({ RATE_LIMITS: 'enforce', TRUST_PROXY: '1' })
  const get = (path: string) =>
    strict.anon.get(path, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const left = async (path: string, status: number) => {
    const answer = await get(path)
    assert.equal(answer.status, status, path)
    assert.equal(answer.headers.get('ratelimit-policy'), '"anonymous";q=30;w=60')
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
  }
  assert.equal(await left('/auth/me', 401), 29)
  assert.equal(await left('/feeds?page=x', 422), 28)
  assert.equal(await left('/posts/none', 404), 27)
  for (let i = 0; i < 27; i++) await get('/feeds')
  assert.equal(await left('/feeds', 429), 0)
})
