/** What a JSON body may be, and what is said of one that is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'

const app = await startApp()
const alice = await app.user()

test('bodies are strict JSON objects in UTF-8', async () => {
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

test('NUL and lone surrogates are refused wherever they stand', async () => {
  for (const raw of ['{"body":"a\\u0000b"}', '{"body":"\\ud800"}', '{"body":"x\\udfff"}']) {
    assertInvalid(await alice.post('/posts', undefined, { raw }), 'body')
  }
  assertInvalid(
    await alice.post('/posts', undefined, { raw: '{"body":"x","z":["\\u0000"]}' }),
    'z.0',
  )
})

test('a body of combining marks alone is refused at once, and one with many of them is taken', async () => {
  // Of the processor's time, since test machines are shared.
  const before = process.cpuUsage()
  const marks = { identifier: '\u0301\u0316'.repeat(60_000), password: 'x' }
  assertInvalid(await app.anon.post('/auth/login', marks), 'identifier')
  const { user, system } = process.cpuUsage(before)
  const took = (user + system) / 1000
  assert.ok(took < 500, `${took} ms`)
  const body = `a${'\u0316'.repeat(999)}`
  assert.equal(dataOf(await alice.post('/posts', { body }), 201).post.body, body)
})

test('a field that is wrong in two ways is named once', async () => {
  const work = { category: 'hype', type: 'image', title: 'x', thumbnail_upload_id: 'a\0b' }
  const { error } = await alice.post('/contents', work)
  assert.deepEqual(
    error?.details?.map(({ field }) => field),
    ['thumbnail_upload_id'],
  )
})

test('of ever so many wrong values the first 50 are named', async () => {
  const work = { category: 'hype', type: 'image', title: 'x' }
  for (const [field, value] of [
    ['upload_ids', ''],
    ['tags', 5],
  ] as const) {
    const answer = await alice.post('/contents', { ...work, [field]: Array(50_000).fill(value) })
    assertInvalid(answer, field)
    assert.equal(answer.error?.details?.length, 50)
  }
})

test('a field with a name without end, without form or without letters is named in short', async () => {
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

test('a prototype in a body sets nothing', async () => {
  const raw =
    '{"body":"clean","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  dataOf(await alice.post('/posts', undefined, { raw }), 201)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('a body that no one asked for is not judged', async () => {
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
