import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, times } from '../../test/make.ts'
import { fingerprintKeyOf } from './rules.ts'

const app = await startApp()
const alice = await app.user()
const bob = await app.user()

let made = 0
const keyed = (key = `key-${++made}`) => ({ headers: { 'idempotency-key': key } })
const postsOf = async () => dataOf(await alice.get('/users/me/posts?limit=100')).posts.length

test('acts once for repeated requests with one key, and answers the same with a new meta', async () => {
  const key = keyed()
  const before = await postsOf()
  const first = await alice.post('/posts', { body: 'once' }, key)
  const again = await alice.post('/posts', { body: 'once' }, key)
  assert.deepEqual([again.status, again.data], [201, first.data])
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.notEqual(again.json.meta.request_id, first.json.meta.request_id)
  assert.equal(await postsOf(), before + 1)
})

test('treats a bare and a quoted key as the same', async () => {
  const first = await alice.post('/posts', { body: 'quoted' }, keyed('"same"'))
  assert.deepEqual((await alice.post('/posts', { body: 'quoted' }, keyed('same'))).data, first.data)
})

test('rejects a different request with a used key, and an invalid key', async () => {
  const key = keyed()
  dataOf(await alice.post('/posts', { body: 'one' }, key), 201)
  const before = await postsOf()
  assertInvalid(await alice.post('/posts', { body: 'two' }, key), 'Idempotency-Key')
  for (const bad of ['""', 'a b', 'x'.repeat(256)]) {
    assertInvalid(await alice.post('/posts', { body: 'x' }, keyed(bad)), 'Idempotency-Key')
  }
  assert.equal(await postsOf(), before)
  // The key is validated before the post is looked up.
  assertInvalid(await alice.post('/posts/none/like', undefined, keyed('a b')), 'Idempotency-Key')
})

test('stores only a keyed hash of a request with a password', async () => {
  const body = { current_password: PASSWORD }
  const key = keyed()
  dataOf(await bob.post('/exports', body, key), 202)
  const [row] = await app.sql(
    `select fingerprint from idempotency_keys where key = '${key.headers['idempotency-key']}'`,
  )
  const content = `/api/v1/exports\n${JSON.stringify(body)}`
  const hmac = createHmac('sha256', fingerprintKeyOf(app.deps.config)).update(content)
  assert.equal(row?.['fingerprint'], hmac.digest('base64url'))
  assert.notEqual(row?.['fingerprint'], hash('sha256', content, 'base64url'))
  const otherKey = fingerprintKeyOf({ tokenSecret: 'x'.repeat(32) })
  assert.notDeepEqual(otherKey, fingerprintKeyOf(app.deps.config))
})

test('scopes a key to its caller and path', async () => {
  const key = keyed()
  const post = dataOf(await alice.post('/posts', { body: 'mine' }, key), 201).post
  const bobsPost = dataOf(await bob.post('/posts', { body: 'mine' }, key), 201).post
  assert.notEqual(bobsPost.id, post.id)
  const reply = await alice.post(`/posts/${post.id}/replies`, { body: 'mine' }, key)
  assert.equal(dataOf(reply, 201).post.parent_id, post.id)
})

test('leaves the key unused after an error', async () => {
  const key = keyed()
  assertInvalid(await alice.post('/posts', { body: ' ' }, key), 'body')
  assertError(
    await alice.post(`/creators/${alice.handle}/follow`, undefined, key),
    409,
    'CANNOT_FOLLOW_SELF',
  )
  const answer = await alice.post('/posts', { body: 'at last' }, key)
  dataOf(answer, 201)
  assert.equal(answer.headers.get('idempotent-replayed'), null)
})

test('acts once for concurrent retries on two servers; the others get a replay or 409', async () => {
  const sibling = await app.sibling()
  for (let round = 0; round < 5; round++) {
    const key = keyed()
    const before = await postsOf()
    const answers = await times(10, (i) =>
      (i % 2 ? alice : alice.at(sibling.url)).post('/posts', { body: 'at once' }, key),
    )
    const ids = new Set<string>()
    for (const answer of answers) {
      if (answer.status === 409) assertError(answer, 409, 'REQUEST_IN_PROGRESS')
      else ids.add(dataOf(answer, 201).post.id)
    }
    assert.equal(ids.size, 1)
    assert.equal(await postsOf(), before + 1)
  }
})

test('does not undo a toggle when it is retried', async () => {
  const key = keyed()
  const path = `/creators/${bob.handle}/follow`
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(dataOf(await alice.post(path, undefined, key)), {
      is_following: true,
      follower_count: 1,
    })
  }
})

test('replays a response for 24 hours and across a restart', async () => {
  const key = keyed()
  const { post } = dataOf(await alice.post('/posts', { body: 'kept' }, key), 201)
  app.clock.advance(23 * 3600_000)
  const { tokens } = dataOf(
    await app.anon.post('/auth/refresh', { refresh_token: alice.refreshToken }),
  )
  const again = await app.sibling()
  const headers = { ...key.headers, authorization: `Bearer ${tokens.access_token}` }
  const replay = await again.anon.post('/posts', { body: 'kept' }, { headers })
  assert.equal(dataOf(replay, 201).post.id, post.id)
})
