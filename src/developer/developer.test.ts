import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeApp,
  makeKey,
  makeLegacyKey,
  times,
} from '../../test/make.ts'

const app = await startApp()
const alice = await app.user()

const keysOf = async (who = alice) => dataOf(await who.get('/developer/keys')).keys

test('returns name and parts of the raw value, and the raw value only once', async () => {
  const answer = await alice.post('/developer/keys', { key_name: '  밤 업로드 ', scopes: ['x'] })
  const { key, raw_key } = dataOf(answer, 201)
  assert.deepEqual(key, {
    id: key.id,
    key_name: '밤 업로드',
    key_prefix: raw_key.slice(0, 13),
    last_four: raw_key.slice(-4),
    last_used_at: null,
    created_at: key.created_at,
  })
  assert.match(key.id, /^key_/)
  assert.match(raw_key, /^plz_user_/)
  assert.deepEqual((await keysOf())[0], key)
  for (const key_name of [undefined, null, 5, '', ' ', 'x'.repeat(101)]) {
    assertInvalid(await alice.post('/developer/keys', { key_name }), 'key_name')
  }
  assertInvalid(await alice.post('/developer/keys'), 'key_name')
})

test('lists active keys, newest first, and hides them from other users', async () => {
  const [user, stranger] = [await app.user(), await app.user()]
  const made = [await makeLegacyKey(user), await makeLegacyKey(user), await makeLegacyKey(user)]
  const ids = made.map(({ key }) => key.id)
  const [first, second, third] = ids
  const missing = await stranger.delete('/developer/keys/key_01kazs8n6qf2c4t7ymx1rwb5dh')
  const masked = await stranger.delete(`/developer/keys/${second}`)
  assertError(missing, 404, 'KEY_NOT_FOUND')
  assert.equal(JSON.stringify(masked.error), JSON.stringify(missing.error))
  assert.deepEqual(await keysOf(stranger), [])
  assert.equal((await user.delete(`/developer/keys/${second}`)).status, 204)
  assert.deepEqual(idsOf(await keysOf(user)), [third, first])
})

test('neither key system accepts keys of the other', async () => {
  const { id } = await makeApp(alice)
  const ofApp = await makeKey(alice, id)
  const legacy = await makeLegacyKey(alice)
  assertError(await alice.delete(`/developer/keys/${ofApp.key.id}`), 404, 'KEY_NOT_FOUND')
  assertError(await alice.delete(`/devconsole/keys/${legacy.key.id}`), 404, 'KEY_NOT_FOUND')
  assertError(await alice.post(`/devconsole/keys/${legacy.key.id}/rotate`), 404, 'KEY_NOT_FOUND')
  const listed = dataOf(await alice.get(`/devconsole/apps/${id}/keys`)).keys
  assert.deepEqual(listed, [ofApp.key])
  assert.ok((await keysOf()).some((key: { id: string }) => key.id === legacy.key.id))
})

test('allows a user at most 100 active legacy keys, also with concurrent requests', async () => {
  const user = await app.user()
  const sibling = await app.sibling()
  for (let i = 0; i < 95; i++) await makeLegacyKey(user)
  const answers = await times(12, (i) =>
    (i % 2 ? user : user.at(sibling.url)).post('/developer/keys', { key_name: 'k' }),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  for (const answer of refused) assertError(answer, 409, 'LIMIT_REACHED')
  assert.equal(refused.length, 7)
  const keys = await keysOf(user)
  assert.equal(keys.length, 100)
  assert.equal((await user.delete(`/developer/keys/${keys[50].id}`)).status, 204)
  await makeLegacyKey(user)
})
