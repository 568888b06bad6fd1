import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyone } from '../../test/actors.ts'
import { ENGINE, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeKey,
  makeLegacyKey,
  program,
  times,
} from '../../test/make.ts'
import { isRawKey, newRawKey } from './raw-key.ts'
import { SCOPES } from './scopes.ts'

const app = await startApp()
const owner = await app.user()
const home = await makeApp(owner, { scopes: [...SCOPES] })
const input = { category: 'hype', type: 'image', title: 'By key' }
const game = { category: 'jump', type: 'game', title: 'By key' }

const create = (rawKey: string, body: object = input) =>
  program(app, rawKey).post('/contents', body)
const contentsOf = async () =>
  dataOf(await owner.get('/users/me/contents?per_page=1')).pagination.total as number

test('a raw key starts with its kind and ends with a checksum', () => {
  for (const [kind, prefix] of [
    ['live', 'plz_live_'],
    ['test', 'plz_test_'],
    ['legacy', 'plz_user_'],
  ] as const) {
    const made = Array.from({ length: 200 }, () => newRawKey(kind))
    for (const key of made) {
      assert.match(key, /^plz_(live|test|user)_[0-9A-Za-z]{49}$/)
      assert.ok(key.startsWith(prefix) && isRawKey(key))
    }
    assert.equal(new Set(made).size, made.length)
  }
})

test('a key with one character changed, added or removed fails the checksum', () => {
  const anyCharacter = fc.string({ minLength: 1, maxLength: 1 })
  fc.assert(
    fc.property(fc.nat(57), anyCharacter, fc.constantFrom(0, 1), (index, character, removed) => {
      const key = newRawKey('live')
      const altered = key.slice(0, index) + character + key.slice(index + removed)
      assert.equal(isRawKey(altered), altered === key)
      assert.ok(!isRawKey(key.slice(0, index) + key.slice(index + 1)))
    }),
  )
})

test('anything that is not a valid key gets 401 and creates nothing', async () => {
  const { key, raw_key } = await makeKey(owner, home.id)
  const before = await contentsOf()
  const swapped = [...raw_key].map((c) =>
    c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
  )
  const alteredKeys = Array.from({ length: raw_key.length }, (_, index) => {
    const replacement = raw_key[index] === 'a' ? 'b' : 'a'
    return raw_key.slice(0, index) + replacement + raw_key.slice(index + 1)
  })
  const wrong = [
    ...alteredKeys,
    raw_key.slice(0, -1),
    `${raw_key}x`,
    swapped.join(''),
    raw_key.replace('live', 'test'),
    newRawKey('live'),
    newRawKey('legacy'),
    owner.token,
    key.id,
    key.key_prefix,
    `${raw_key}, ${raw_key}`,
    'x'.repeat(10_000),
    '',
  ]
  for (const bad of wrong) assertError(await create(bad), 401, 'UNAUTHORIZED')
  const asBearer = { authorization: `Bearer ${raw_key}` }
  assertError(await anyone(app.url, asBearer).post('/contents', input), 401, 'UNAUTHORIZED')
  assert.equal(await contentsOf(), before)
  dataOf(await create(raw_key), 201)
})

test('a raw key appears only in the response that created it, and not in the database', async () => {
  const rest = await app.user()
  const { id } = await makeApp(rest, { scopes: ['contents:write'] })
  const idempotent = { headers: { 'idempotency-key': 'once' } }
  const keyed = await rest.post(
    `/devconsole/apps/${id}/keys`,
    { key_name: 'k', environment: 'live' },
    idempotent,
  )
  const legacy = await rest.post('/developer/keys', { key_name: 'k' }, idempotent)
  const rotated = await rest.post(
    `/devconsole/keys/${(await makeKey(rest, id)).key.id}/rotate`,
    {},
    idempotent,
  )
  const raw = [keyed, legacy, rotated].map((answer) => answer.data.raw_key as string)
  const created = await create(raw[0] as string)
  const answers = [
    created,
    await rest.get('/devconsole/apps'),
    await rest.get(`/devconsole/apps/${id}`),
    await rest.get(`/devconsole/apps/${id}/keys`),
    await rest.get('/developer/keys'),
    await rest.get('/auth/me'),
  ]
  const rows = await Promise.all(
    ['api_keys', 'apps', 'idempotency_keys', 'contents'].map((table) =>
      app.sql(`select * from ${table}`),
    ),
  )
  const { dataDir } = app.deps.config
  const files =
    ENGINE === 'sqlite'
      ? readdirSync(dataDir)
          .filter((name) => name.startsWith('plaza.db'))
          .map((name) => readFileSync(join(dataDir, name), 'latin1'))
      : []
  assert.equal(files.length > 0, ENGINE === 'sqlite')
  for (const key of raw) {
    assert.ok(isRawKey(key))
    for (const { text } of answers) assert.ok(!text.includes(key))
    assert.ok(!JSON.stringify(rows).includes(key))
    for (const file of files) assert.ok(!file.includes(key))
  }
})

test('a key acts for its owner, unless the request also has a valid session token', async () => {
  const stranger = await app.user()
  const { raw_key } = await makeKey(owner, home.id)
  const both = { headers: { 'x-api-key': raw_key } }
  assert.equal(dataOf(await create(raw_key), 201).content.creator.id, owner.id)
  assert.equal(
    dataOf(await stranger.post('/contents', input, both), 201).content.creator.id,
    stranger.id,
  )
  const bad = { headers: { authorization: 'Bearer pla_nothing' } }
  const byKey = await program(app, raw_key).post('/contents', input, bad)
  assert.equal(dataOf(byKey, 201).content.creator.id, owner.id)
  assert.equal(byKey.headers.get('cache-control'), 'private, no-store')
})

test('a key may do what both the key and its app allow now, and a legacy key may do everything', async () => {
  const cases: [string[], string[], boolean, boolean][] = [
    [['contents:write', 'jump:write'], ['contents:write', 'jump:write'], true, true],
    [['contents:write', 'jump:write'], ['contents:write'], true, false],
    [['contents:write', 'jump:write'], ['jump:write'], false, false],
    [['contents:write', 'jump:write'], [], false, false],
    [['contents:read', 'jump:read'], ['contents:read', 'jump:read'], false, false],
    [[], [], false, false],
  ]
  for (const [ofApp, ofKey, contents, games] of cases) {
    const { id } = await makeApp(owner, { scopes: ofApp })
    const { raw_key } = await makeKey(owner, id, { scopes: ofKey })
    const before = await contentsOf()
    for (const [body, may] of [
      [input, contents],
      [game, games],
    ] as const) {
      const answer = await create(raw_key, body)
      if (may) dataOf(answer, 201)
      else assertError(answer, 403, 'INSUFFICIENT_SCOPE')
    }
    assert.equal(await contentsOf(), before + Number(contents) + Number(games))
    assertInvalid(await create(raw_key, { ...input, title: '' }), 'title')
  }
  const legacy = (await makeLegacyKey(owner)).raw_key
  for (const body of [input, game]) dataOf(await create(legacy, body), 201)
})

test('scopes removed from an app are removed from its keys immediately, and return when the app regains them', async () => {
  const { id } = await makeApp(owner, { scopes: ['contents:write'] })
  const { key, raw_key } = await makeKey(owner, id)
  dataOf(await create(raw_key), 201)
  dataOf(await owner.patch(`/devconsole/apps/${id}`, { scopes: [] }))
  assertError(await create(raw_key), 403, 'INSUFFICIENT_SCOPE')
  assert.deepEqual(key.scopes, ['contents:write'])
  dataOf(await owner.patch(`/devconsole/apps/${id}`, { scopes: ['contents:write', 'jump:write'] }))
  dataOf(await create(raw_key), 201)
  assertError(await create(raw_key, game), 403, 'INSUFFICIENT_SCOPE')
})

test('a test key validates everything and always stores a draft', async () => {
  const { raw_key } = await makeKey(owner, home.id, { environment: 'test' })
  const mentioned = await app.user()
  for (const publish of [undefined, true, false]) {
    const body = { ...input, title: `for @${mentioned.handle}`, tags: ['keytest'], publish }
    const { content } = dataOf(await create(raw_key, body), 201)
    assert.deepEqual([content.status, content.published_at], ['draft', null])
    assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
  }
  assert.equal(dataOf(await app.anon.get('/feeds?tag=keytest')).pagination.total, 0)
  assert.equal(dataOf(await mentioned.get('/notifications')).unread_count, 0)
  assertInvalid(await create(raw_key, { ...input, type: 'game' }), 'type')
  const { id } = await makeApp(owner)
  const powerless = await makeKey(owner, id, { environment: 'test' })
  assertError(await create(powerless.raw_key), 403, 'INSUFFICIENT_SCOPE')
})

test('a revoked key is rejected from the next request on, on every process', async () => {
  const sibling = await app.sibling()
  for (const [made, path] of [
    [await makeKey(owner, home.id), '/devconsole/keys'],
    [await makeLegacyKey(owner), '/developer/keys'],
  ] as const) {
    dataOf(await create(made.raw_key), 201)
    assert.equal((await owner.delete(`${path}/${made.key.id}`)).status, 204)
    for (const server of [app, sibling]) {
      const answer = await program(server, made.raw_key).post('/contents', input)
      assertError(answer, 401, 'UNAUTHORIZED')
    }
    assert.equal((await owner.delete(`${path}/${made.key.id}`)).status, 204)
  }
})

test('a key works until it expires', async () => {
  const soon = new Date(app.clock.now() + 60_000).toISOString()
  const { key, raw_key } = await makeKey(owner, home.id, { expires_at: soon })
  assert.equal(key.expires_at, soon)
  dataOf(await create(raw_key), 201)
  app.clock.advance(60_000)
  assertError(await create(raw_key), 401, 'UNAUTHORIZED')
})

test('a suspension disables keys immediately, and lifting it restores those that were not revoked', async () => {
  const [user, admin] = [await app.user(), await app.admin()]
  const { id } = await makeApp(user, { scopes: ['contents:write'] })
  const ownKeys = [await makeKey(user, id), await makeLegacyKey(user)]
  const gone = await makeKey(user, id)
  assert.equal((await user.delete(`/devconsole/keys/${gone.key.id}`)).status, 204)
  dataOf(await admin.patch(`/admin/users/${user.id}`, { is_suspended: true }))
  for (const { raw_key } of [...ownKeys, gone]) {
    assertError(await create(raw_key), 401, 'UNAUTHORIZED')
  }
  dataOf(await admin.patch(`/admin/users/${user.id}`, { is_suspended: false }))
  for (const { raw_key } of ownKeys) dataOf(await create(raw_key), 201)
  assertError(await create(gone.raw_key), 401, 'UNAUTHORIZED')
})

test('a creation by key creates one content when retried, and Idempotency-Keys are separate for each API key', async () => {
  const [firstKey, secondKey] = [await makeKey(owner, home.id), await makeKey(owner, home.id)]
  const keyed = { headers: { 'idempotency-key': 'nightly' } }
  const send = (raw: string) => program(app, raw).post('/contents', input, keyed)
  const before = await contentsOf()
  const answers = await times(8, () => send(firstKey.raw_key))
  const made = answers.filter(({ status }) => status === 201)
  for (const answer of answers) {
    if (answer.status !== 201) assertError(answer, 409, 'REQUEST_IN_PROGRESS')
  }
  const again = await send(firstKey.raw_key)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(new Set([...made, again].map(({ data }) => data.content.id)).size, 1)
  assert.equal(await contentsOf(), before + 1)
  for (const answer of [
    await send(secondKey.raw_key),
    await owner.post('/contents', input, keyed),
  ]) {
    assert.notEqual(dataOf(answer, 201).content.id, again.data.content.id)
  }
  const changed = await program(app, firstKey.raw_key).post('/contents', game, keyed)
  assertInvalid(changed, 'Idempotency-Key')
  assert.equal((await owner.delete(`/devconsole/keys/${firstKey.key.id}`)).status, 204)
  assertError(await send(firstKey.raw_key), 401, 'UNAUTHORIZED')
})

test('the last use of a key is accurate to the minute, and a rejected request does not count', async () => {
  const { key, raw_key } = await makeLegacyKey(owner)
  const lastUsed = async () =>
    dataOf(await owner.get('/developer/keys')).keys.find(({ id }: { id: string }) => id === key.id)
      .last_used_at
  /** Uses a key on a second server, because closing that server stores all pending uses. Returns the status. */
  const useOnce = async (raw: string) => {
    const sibling = await app.sibling()
    const { status } = await program(sibling, raw).post('/contents', input)
    await sibling.close()
    return status
  }
  assert.equal(await useOnce(`${raw_key.slice(0, -1)}_`), 401)
  assert.equal(await lastUsed(), null)
  assert.equal(await useOnce(raw_key), 201)
  const first = await lastUsed()
  assert.ok(Math.abs(Date.parse(first) - app.clock.now()) < 5000)
  app.clock.advance(30_000)
  await useOnce(raw_key)
  assert.equal(await lastUsed(), first)
  app.clock.advance(31_000)
  await useOnce(raw_key)
  assert.ok(Date.parse(await lastUsed()) >= Date.parse(first) + 60_000)
})
