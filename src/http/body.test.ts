import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'

const app = await startApp()
const alice = await app.user()

test('accepts only strict JSON objects in UTF-8', async () => {
  const bad = [
    '',
    '{',
    '[]',
    'null',
    '5',
    '"x"',
    '{"body":"a"} x',
    '\ufeff{"body":"a"}',
    "{'body':'a'}",
    '{"body":NaN}',
  ]
  for (const raw of bad) {
    const answer = await alice.post('/posts', undefined, { raw })
    assertError(answer, 422, 'VALIDATION_ERROR')
  }
  const bytes = Buffer.concat([
    Buffer.from('{"body":"'),
    Buffer.from([0xff, 0xc0]),
    Buffer.from('"}'),
  ])
  assertInvalid(await alice.post('/posts', undefined, { raw: bytes }), 'body')
  const deep = `{"body":"x","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  assertInvalid(await alice.post('/posts', undefined, { raw: deep }), 'more')
  const types = [
    'text/plain',
    'application/jsonx',
    'application/json garbage',
    'application/json; charset=utf-16',
    'application/json\tx',
  ]
  for (const type of types) {
    const answer = await alice.post('/posts', undefined, {
      raw: '{"body":"x"}',
      headers: { 'content-type': type },
    })
    assertError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const sayings = [
    'application/json;',
    'Application/JSON;charset="UTF-8"',
    'application/json ; charset=utf8;',
    'application/json; version=1',
  ]
  for (const type of sayings) {
    const raw = '{"body":"said as JSON"}'
    const answer = await alice.post('/posts', undefined, { raw, headers: { 'content-type': type } })
    assert.equal(answer.status, 201)
  }
  const zipped = { raw: '{"body":"x"}', headers: { 'content-encoding': 'gzip' } }
  assertError(await alice.post('/posts', undefined, zipped), 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('rejects a list where an object is expected', async () => {
  const author = await app.user()
  for (const game of [[], [{}]]) {
    const content = { category: 'jump', type: 'game', title: 'x', game }
    assertInvalid(await author.post('/contents', content), 'game')
  }
})

test('rejects NUL and lone surrogates anywhere in a body', async () => {
  for (const raw of ['{"body":"a\\u0000b"}', '{"body":"\\ud800"}', '{"body":"x\\udfff"}']) {
    assertInvalid(await alice.post('/posts', undefined, { raw }), 'body')
  }
  assertInvalid(
    await alice.post('/posts', undefined, { raw: '{"body":"x","z":["\\u0000"]}' }),
    'z.0',
  )
})

/**
 * `MARKS` are nine combining marks. `MARKED` is a text of 256 KiB with runs of 999 marks, which takes long to
 * normalise.
 */
const MARKS = [...'\u0345\u035d\u035c\u0315\u0301\u0323\u031b\u0321\u0334']
const MARKED = `a${MARKS.map((mark) => mark.repeat(111)).join('')}`.repeat(129)

test('spends little processor time on any body of 256 KiB', async () => {
  const login = { identifier: 'x', password: 'x' }
  const content = { category: 'hype', type: 'article', title: 'x' }
  const bodies: [string, Record<string, unknown>, string][] = [
    ['/contents', { ...content, unknown: MARKED, title: '' }, 'title'],
    ['/contents', { ...content, body: MARKED }, 'body'],
    ['/contents', { ...content, title: MARKED }, 'title'],
    ['/contents', { ...content, tags: Array(80_000).fill('') }, 'tags'],
    ['/contents', { ...content, tags: Array(60_000).fill(5) }, 'tags'],
    ['/contents', { ...content, upload_ids: Array(120_000).fill(0) }, 'upload_ids'],
    ['/devconsole/apps', { app_name: 'x', scopes: Array(40_000).fill('x') }, 'scopes'],
    ['/devconsole/apps', { app_name: 'x', redirect_uris: Array(60_000).fill('') }, 'redirect_uris'],
    ['/auth/login', { ...login, identifier: '\u0301\u0316'.repeat(60_000) }, 'identifier'],
    ['/auth/login', { ...login, unknown: Array(25_000).fill('\0') }, 'unknown.0'],
  ]
  for (const [path, body, field] of bodies) {
    // The first request with a body compiles the schema, which would distort the measurement.
    assertInvalid(await alice.post(path, {}), Object.keys(body)[0] as string)
    const costs: number[] = []
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage()
      assertInvalid(await alice.post(path, body), field)
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 1000)
    }
    // The client runs in the same process, so its processor time is included.
    assert.ok(Math.min(...costs) < 100, `${path} ${field}: ${costs.join(', ')} ms`)
  }
})

test('accepts 30 combining marks in a row and rejects 31, in bodies and queries', async () => {
  const accepted = `a${'\u0316'.repeat(30)}b`.repeat(3)
  assert.equal(dataOf(await alice.post('/posts', { body: accepted }), 201).post.body, accepted)
  const refused = `a${'\u0316'.repeat(31)}`
  assertInvalid(await alice.post('/posts', { body: refused }), 'body')
  assertInvalid(
    await app.anon.post('/auth/login', { identifier: 'x', password: refused }),
    'password',
  )
  assertInvalid(await app.anon.get(`/feed?before=${encodeURIComponent(refused)}`), 'before')
})

test('measures the length of a text after normalising it', async () => {
  const syllables = '\u1100\u1161\u11a8'.repeat(1000)
  const { post } = dataOf(
    await alice.post('/posts', { body: `${' '.repeat(9000)}${syllables}` }),
    201,
  )
  assert.equal(post.body, '각'.repeat(1000))
  assertInvalid(await alice.post('/posts', { body: `${syllables}\u1100\u1161` }), 'body')
})

test('checks unknown fields only for NUL and lone surrogates', async () => {
  const accepted = { body: 'x', unknown: `a${'\u0316'.repeat(900)}`, more: { list: [MARKED] } }
  dataOf(await alice.post('/posts', accepted), 201)
  for (const text of ['\0', '\ud800']) {
    assertInvalid(
      await alice.post('/posts', { body: 'x', more: { list: ['a', text] } }),
      'more.list.1',
    )
  }
})

test('reports a list over its limit as one field, without its items', async () => {
  const content = { category: 'hype', type: 'image', title: 'x' }
  const { error } = await alice.post('/contents', { ...content, tags: Array(11).fill('\0') })
  assert.deepEqual(
    error?.details?.map(({ field }) => field),
    ['tags'],
  )
})

test('names a field only once when it is invalid in two ways', async () => {
  const content = { category: 'hype', type: 'image', title: 'x', thumbnail_upload_id: 'a\0b' }
  const { error } = await alice.post('/contents', content)
  assert.deepEqual(
    error?.details?.map(({ field }) => field),
    ['thumbnail_upload_id'],
  )
})

test('names only the first 20 invalid fields in an error', async () => {
  const unknown = Array(25_000).fill('\0')
  const { error } = await alice.post('/posts', { unknown, body: '' })
  assert.deepEqual(
    error?.details?.map(({ field }) => field),
    Array.from({ length: 20 }, (_, index) => `unknown.${index}`),
  )
})

test('shortens or repairs a very long, malformed or empty field name in an error', async () => {
  for (const [name, shown] of [
    ['k'.repeat(200_000), 'k'.repeat(200)],
    ['a\ud800.0', 'a\ufffd.0.0'],
    ['', '.0'],
  ] as const) {
    const answer = await app.anon.post('/auth/login', {
      identifier: 'x',
      password: 'x',
      [name]: Array(50).fill('\0'),
    })
    assertInvalid(answer, shown)
    assert.ok(answer.text.length < 20_000, `${answer.text.length} characters`)
  }
  assertInvalid(
    await app.anon.post('/auth/login', { identifier: 'x', password: 'x', '': '\0' }),
    'body',
  )
})

test('does not pollute prototypes when a body contains `__proto__`', async () => {
  const raw =
    '{"body":"clean","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  dataOf(await alice.post('/posts', undefined, { raw }), 201)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('ignores a body that the route does not expect', async () => {
  const bob = await app.user()
  for (const options of [
    { raw: '{' },
    { raw: 'x', headers: { 'content-type': 'text/plain' } },
    { raw: 'x', headers: { 'content-type': 'not a type' } },
    { raw: 'x'.repeat(400_000) },
    { raw: '', headers: { 'content-type': 'application/json' } },
  ]) {
    dataOf(await bob.request('PUT', `/creators/${alice.handle}/follow`, undefined, options))
  }
})
