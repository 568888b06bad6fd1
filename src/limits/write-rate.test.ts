import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Anyone, type Answer, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeContent,
  makeConversation,
  makeLegacyKey,
  program,
  times,
} from '../../test/make.ts'
import { deleteExpiredAttempts } from './queries.ts'

const app = await startApp({ RATE_LIMITS: 'basic', ACCESS_TOKEN_TTL: '86400' })
const HOUR_MS = 3_600_000

const post = (who: Anyone, body = 'A post') => who.post('/posts', { body })
const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

async function leave(left: number, { id }: Actor, kind = 'talk', [burst, ms] = [120, 1000]) {
  const fullAt = app.clock.now() + (burst - left) * ms
  await app.sql(`insert into attempts (bucket, count, resets_at) values ('rate:${kind}:${id}', 1, ${fullAt})
    on conflict (bucket) do update set resets_at = excluded.resets_at`)
}

test('admits a burst of exactly 120 posts over two processes', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  const sibling = await app.sibling()
  const started = app.clock.now()
  const answers = await times(150, (i) => post(i % 2 ? alice : alice.at(sibling.url)))
  const refilled = Math.ceil((app.clock.now() - started) / 1000)
  const admitted = count(answers, 201)
  assert.ok(admitted >= 120 && admitted <= 120 + refilled, `${admitted} of 120 and ${refilled}`)
  assert.equal(admitted + count(answers, 429), 150)
  assert.equal(await app.count(`posts where author_id = '${alice.id}'`), admitted)
  dataOf(await post(bob), 201)
})

test('refills a token every second and reports the wait', async () => {
  const alice = await app.user()
  await leave(-3, alice)
  const refused = await post(alice)
  assertError(refused, 429, 'RATE_LIMITED')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 4, `${wait}`)
  app.clock.advance(wait * 1000)
  dataOf(await post(alice), 201)
})

test('counts comments, replies and messages together with posts, but not likes and reads', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  const content = await makeContent(bob)
  const { post: parent } = dataOf(await post(bob), 201)
  const conversation = await makeConversation(alice, bob)
  const { comment } = dataOf(
    await alice.post(`/contents/${content.id}/comments`, { body: 'x' }),
    201,
  )
  await leave(-60, alice)
  for (const answer of [
    await alice.post(`/contents/${content.id}/comments`, { body: 'x' }),
    await alice.patch(`/comments/${comment.id}`, { body: 'y' }),
    await alice.post(`/posts/${parent.id}/replies`, { body: 'x' }),
    await alice.post(`/dm/conversations/${conversation.id}/messages`, { body: 'x' }),
    await alice.post(`/dm/conversations/${conversation.id}/messages`, {
      body: 'x',
      client_message_id: 'one',
    }),
  ]) {
    assertError(answer, 429, 'RATE_LIMITED')
  }
  dataOf(await alice.post(`/posts/${parent.id}/like`))
  dataOf(await alice.get('/posts/' + parent.id))
  await makeContent(alice)
  assert.equal(
    Number(
      await app.value(
        `select comment_count as n from content_stats where content_id = '${content.id}'`,
      ),
    ),
    1,
  )
})

test('counts writes by an API key in the bucket of its owner', async () => {
  const alice = await app.user()
  const { raw_key } = await makeLegacyKey(alice)
  const content = { category: 'hype', type: 'article', title: 'One', body: 'Text' }
  await leave(1, alice, 'publish', [40, 3000])
  dataOf(await program(app, raw_key).post('/contents', content), 201)
  assertError(await program(app, raw_key).post('/contents', content), 429, 'RATE_LIMITED')
  assertError(await alice.post('/contents', content), 429, 'RATE_LIMITED')
})

test('counts edits of contents in a separate bucket and changes nothing in a rejected edit', async () => {
  const alice = await app.user()
  const { id } = await makeContent(alice, { tags: ['before'] })
  await leave(1, alice, 'edit', [120, 1000])
  dataOf(await alice.patch(`/contents/${id}`, { tags: ['first-edit'] }))
  await leave(-60, alice, 'edit', [120, 1000])
  assertError(await alice.patch(`/contents/${id}`, { tags: ['second-edit'] }), 429, 'RATE_LIMITED')
  assert.equal(await app.count(`tags where tag = 'second-edit'`), 0)
  const { content } = dataOf(await alice.get(`/contents/${id}`))
  assert.deepEqual(content.tags, ['first-edit'])
  await makeContent(alice)
})

test('counts uploads in a separate bucket and stores nothing of a rejected upload', async () => {
  const alice = await app.user()
  const send = () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])]), 'a.wasm')
    const headers = { authorization: `Bearer ${alice.token}` }
    return fetch(`${app.url}/api/v1/uploads`, { method: 'POST', body: form, headers })
  }
  await leave(-30, alice, 'upload', [120, 500])
  const refused = await send()
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.deepEqual(await app.sql(`select id from uploads where owner_id = '${alice.id}'`), [])
})

test('takes no token for rejected, replayed or repeated requests', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  const conversation = await makeConversation(alice, bob)
  await leave(4, alice)
  for (let i = 0; i < 6; i++) assertInvalid(await post(alice, ' '), 'body')
  const missing = '/posts/pst_01kazqjv2mc6s0h1y8ejdvq5pf/replies'
  for (let i = 0; i < 6; i++) {
    assertError(await alice.post(missing, { body: 'x' }), 404, 'POST_NOT_FOUND')
  }
  const headers = { 'idempotency-key': 'the-same' }
  for (let i = 0; i < 6; i++) dataOf(await alice.post('/posts', { body: 'x' }, { headers }), 201)
  const message = { body: 'x', client_message_id: 'the-same-one' }
  const path = `/dm/conversations/${conversation.id}/messages`
  for (let i = 0; i < 6; i++) dataOf(await alice.post(path, message), 201)
  dataOf(await post(alice), 201)
})

test('locks no user out when the clock is set back', async () => {
  const alice = await app.user()
  app.clock.advance(HOUR_MS)
  await leave(0, alice)
  app.clock.advance(-HOUR_MS)
  dataOf(await post(alice), 201)
  dataOf(await post(alice), 201)
  await leave(-3, alice)
  assertError(await post(alice), 429, 'RATE_LIMITED')
})

test('deletes only full buckets', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  await leave(120, alice)
  await leave(-60, bob)
  await deleteExpiredAttempts(app.db, app.clock.now() + 1)
  const rows = await app.sql(`select bucket from attempts where bucket like 'rate:talk:%'`)
  const buckets = rows.map(({ bucket }) => bucket)
  assert.ok(!buckets.includes(`rate:talk:${alice.id}`) && buckets.includes(`rate:talk:${bob.id}`))
  assertError(await post(bob), 429, 'RATE_LIMITED')
})

test('also limits writes with RATE_LIMITS=enforce, but not with off', async () => {
  for (const [setting, status] of [
    ['enforce', 429],
    ['off', 201],
  ] as const) {
    const limited = await startApp({ RATE_LIMITS: setting })
    const alice = await limited.user()
    const fullAt = limited.clock.now() + 200_000
    await limited.sql(
      `insert into attempts (bucket, count, resets_at) values ('rate:talk:${alice.id}', 1, ${fullAt - 40_000})`,
    )
    assert.equal((await post(alice)).status, status)
    await limited.close()
  }
})
