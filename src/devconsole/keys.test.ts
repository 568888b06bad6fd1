import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeApp,
  makeKey,
  program,
  times,
} from '../../test/make.ts'

// The tests advance the clock, so sessions get long lifetimes.
const app = await startApp({ ACCESS_TOKEN_TTL: '8640000', REFRESH_TOKEN_TTL: '8640000' })
const alice = await app.user()
const home = await makeApp(alice, { scopes: ['contents:write', 'posts:read'] })
const content = { category: 'hype', type: 'image', title: 'By key' }

const keysOf = async (id: string): Promise<Loose[]> =>
  dataOf(await alice.get(`/devconsole/apps/${id}/keys`)).keys
const action = async (rawKey: string) => {
  const { status } = await program(app, rawKey).post('/contents', content)
  assert.ok(status === 201 || status === 401, String(status))
  return status === 201
}
const rotate = (id: string, body?: object) => alice.post(`/devconsole/keys/${id}/rotate`, body)
const inFuture = (ms: number) => new Date(app.clock.now() + ms).toISOString()

test('creates a key with all scopes of its app by default, and returns parts of its raw value', async () => {
  const { key, raw_key } = await makeKey(alice, home.id, { key_name: '  카메라 ' })
  assert.deepEqual(key, {
    id: key.id,
    app_id: home.id,
    key_name: '카메라',
    environment: 'live',
    key_prefix: raw_key.slice(0, 13),
    last_four: raw_key.slice(-4),
    scopes: ['contents:write', 'posts:read'],
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    created_at: key.created_at,
  })
  assert.match(raw_key, /^plz_live_/)
  const narrow = await makeKey(alice, home.id, {
    environment: 'test',
    scopes: ['posts:read', 'posts:read'],
    expires_at: null,
  })
  assert.match(narrow.raw_key, /^plz_test_/)
  assert.deepEqual(narrow.key.scopes, ['posts:read'])
  assert.deepEqual((await makeKey(alice, home.id, { scopes: [] })).key.scopes, [])
  assert.deepEqual((await keysOf(home.id)).slice(1, 3), [narrow.key, key])
})

test('names every invalid field and creates no key', async () => {
  const { id } = await makeApp(alice, { scopes: ['contents:write'] })
  const bad: [Record<string, unknown>, string][] = [
    [{ key_name: undefined }, 'key_name'],
    [{ key_name: ' ' }, 'key_name'],
    [{ key_name: 'x'.repeat(101) }, 'key_name'],
    [{ environment: undefined }, 'environment'],
    [{ environment: 'prod' }, 'environment'],
    [{ scopes: 'contents:write' }, 'scopes'],
    [{ scopes: ['contents:write', 'nope'] }, 'scopes.1'],
    [{ scopes: ['contents:write', 'posts:read'] }, 'scopes.1'],
    [{ expires_at: 5 }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2099-02-30T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2099-13-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2099-01-01' }, 'expires_at'],
    [{ expires_at: '2099-01-01T00:00:00' }, 'expires_at'],
    [{ expires_at: inFuture(-1000) }, 'expires_at'],
    [{ expires_at: new Date(0).toISOString() }, 'expires_at'],
  ]
  for (const [over, field] of bad) {
    const body = { key_name: 'k', environment: 'live', ...over }
    assertInvalid(await alice.post(`/devconsole/apps/${id}/keys`, body), field)
  }
  const past = { key_name: 'k', environment: 'live', expires_at: inFuture(-1000) }
  assertInvalid(await alice.post('/devconsole/apps/zzz/keys', past), 'expires_at')
  assert.deepEqual(await keysOf(id), [])
  const { key } = await makeKey(alice, id, { expires_at: '2099-01-01T09:00:00+09:00' })
  assert.equal(key.expires_at, '2099-01-01T00:00:00.000Z')
})

test('rotation creates the same key with a new raw value and ends the old one immediately', async () => {
  const end = inFuture(3600_000)
  const given = { environment: 'test', scopes: ['contents:write'], expires_at: end }
  const old = await makeKey(alice, home.id, given)
  const { key, raw_key } = dataOf(await rotate(old.key.id))
  const { id, key_prefix, last_four, created_at } = key
  assert.deepEqual(key, { ...old.key, id, key_prefix, last_four, created_at })
  assert.notEqual(id, old.key.id)
  assert.notEqual(raw_key, old.raw_key)
  assert.deepEqual([await action(old.raw_key), await action(raw_key)], [false, true])
  const [, ended] = await keysOf(home.id)
  assert.deepEqual([ended.id, ended.expires_at], [old.key.id, end])
  assert.ok(ended.revoked_at)
  assertError(await rotate(old.key.id), 404, 'KEY_NOT_FOUND')
})

test('with an overlap the old key works that long, but never beyond its expiry', async () => {
  const old = await makeKey(alice, home.id)
  const next = dataOf(await rotate(old.key.id, { overlap_seconds: 600 }))
  const [, ended] = await keysOf(home.id)
  assert.equal(ended.revoked_at, null)
  assert.ok(Math.abs(Date.parse(ended.expires_at) - app.clock.now() - 600_000) < 5000)
  dataOf(await rotate(old.key.id, { overlap_seconds: 86_400 }))
  const again = (await keysOf(home.id)).find(({ id }) => id === old.key.id)
  assert.equal(again.expires_at, ended.expires_at)
  app.clock.advance(590_000)
  assert.deepEqual([await action(old.raw_key), await action(next.raw_key)], [true, true])
  app.clock.advance(11_000)
  assert.deepEqual([await action(old.raw_key), await action(next.raw_key)], [false, true])
  assertError(await rotate(old.key.id), 404, 'KEY_NOT_FOUND')
  for (const overlap_seconds of [-1, 86_401, 1.5, '60', null]) {
    assertInvalid(await rotate(next.key.id, { overlap_seconds }), 'overlap_seconds')
  }
  assert.ok(await action(next.raw_key))
})

test('concurrent rotations and revocations replace each key at most once', async () => {
  const sibling = await app.sibling()
  for (let round = 0; round < 4; round++) {
    const { id } = await makeApp(alice, { scopes: ['contents:write'] })
    const old = await makeKey(alice, id)
    const path = `/devconsole/keys/${old.key.id}`
    const answers = await times(8, (i) => {
      const who = i % 2 ? alice : alice.at(sibling.url)
      return i === 5 ? who.delete(path) : who.post(`${path}/rotate`)
    })
    const made = answers.filter(({ status }) => status === 200)
    assert.ok(made.length <= 1)
    for (const [i, answer] of answers.entries()) {
      if (i === 5) assert.equal(answer.status, 204)
      else if (answer.status !== 200) assertError(answer, 404, 'KEY_NOT_FOUND')
    }
    assert.equal(await action(old.raw_key), false)
    for (const { data } of made) assert.ok(await action(data.raw_key))
    assert.equal((await keysOf(id)).length, 1 + made.length)
  }
})

test('a replayed request returns null as raw value and creates no key', async () => {
  const { id } = await makeApp(alice)
  const keyed = { headers: { 'idempotency-key': 'deploy' } }
  const body = { key_name: 'k', environment: 'live' }
  const first = await alice.post(`/devconsole/apps/${id}/keys`, body, keyed)
  const replay = await alice.post(`/devconsole/apps/${id}/keys`, body, keyed)
  assert.deepEqual(dataOf(replay, 201), { ...dataOf(first, 201), raw_key: null })
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  const path = `/devconsole/keys/${first.data.key.id}/rotate`
  const rotated = await alice.post(path, {}, keyed)
  assert.deepEqual(dataOf(await alice.post(path, {}, keyed)), {
    ...dataOf(rotated),
    raw_key: null,
  })
  assert.equal((await keysOf(id)).length, 2)
})

test('allows an app at most 100 active keys, also with concurrent requests', async () => {
  const { id } = await makeApp(alice)
  const sibling = await app.sibling()
  const path = `/devconsole/apps/${id}/keys`
  const body = { key_name: 'k', environment: 'live' }
  const brief = await makeKey(alice, id, { expires_at: inFuture(60_000) })
  for (let i = 0; i < 94; i++) await makeKey(alice, id)
  const answers = await times(12, (i) => (i % 2 ? alice : alice.at(sibling.url)).post(path, body))
  const refused = answers.filter(({ status }) => status !== 201)
  for (const answer of refused) assertError(answer, 409, 'LIMIT_REACHED')
  assert.equal(refused.length, 7)
  const keys = await keysOf(id)
  assert.equal(keys.length, 100)
  assertError(await rotate(keys[50].id, { overlap_seconds: 60 }), 409, 'LIMIT_REACHED')
  dataOf(await rotate(keys[50].id))
  assertError(await alice.post(path, body), 409, 'LIMIT_REACHED')
  app.clock.advance(60_000)
  await makeKey(alice, id)
  assertError(await alice.post(path, body), 409, 'LIMIT_REACHED')
  const after = await keysOf(id)
  assert.ok(after.some((key) => key.id === brief.key.id))
  assert.deepEqual(
    idsOf(after),
    after
      .map((key) => key.id)
      .sort()
      .reverse(),
  )
})
