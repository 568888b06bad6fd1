import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { makeMediaContent } from '../../test/conversions.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeContent,
  makeKey,
  program,
  times,
} from '../../test/make.ts'
import { deliveriesOf, makeWebhook, receive, endedDeliveries, until } from '../../test/receiver.ts'
import { makeBrokenMp4 } from '../../test/uploads.ts'
import { NO_FFMPEG } from '../../test/videos.ts'
import { publishConverted } from './conversion.ts'
import { publishDue } from './schedule.ts'

const app = await startApp({
  FFMPEG: NO_FFMPEG ? 'off' : 'ffmpeg',
  ACCESS_TOKEN_TTL: '86400',
})
// Stops the worker, so that conversions end only when a test ends them.
await app.deps.worker.close()
const [ana, fan] = [await app.user(), await app.user()]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WITHIN_MS = 5000

const inMs = (ms: number) => new Date(app.clock.now() + ms).toISOString()
const change = (id: string, body: object, actor = ana) => actor.patch(`/contents/${id}`, body)
const schedule = (over: object = {}, actor = ana) =>
  makeContent(actor, { publish_at: inMs(MINUTE), ...over })
const contentOf = async (id: string, actor = ana) =>
  dataOf(await actor.get(`/contents/${id}`)).content
const noticesOf = async (id: string, actor = ana): Promise<Loose[]> =>
  dataOf(await actor.get('/notifications?per_page=100')).notifications.filter(
    ({ link }: { link: string }) => link === `/contents/${id}`,
  )

/** Waits until the item has this status, and returns it. Fails after five seconds. */
async function becomes(id: string, status: string, actor = ana): Promise<Loose> {
  const start = performance.now()
  await until(async () => (await contentOf(id, actor)).status === status, status)
  const taken = performance.now() - start
  assert.ok(taken < WITHIN_MS, `published after ${taken} ms`)
  return contentOf(id, actor)
}

test('a scheduled draft is published at its time, and its author and mentioned users are told', async () => {
  const receiver = await receive()
  const { webhook } = await makeWebhook(ana, receiver.url, ['content.published'])
  const publish_at = inMs(MINUTE)
  const draft = await schedule({ publish_at, title: `For @${fan.handle}`, tags: ['timed'] })
  assert.deepEqual(
    [draft.status, draft.publish_at, draft.published_at],
    ['draft', publish_at, null],
  )
  assertError(await fan.get(`/contents/${draft.id}`), 404, 'CONTENT_NOT_FOUND')
  app.clock.advance(MINUTE - 1000)
  await publishDue(app.db, app.clock.now(), false)
  assert.equal((await contentOf(draft.id)).status, 'draft')
  app.clock.advance(1000)
  const content = await becomes(draft.id, 'published')
  assert.equal(content.publish_at, null)
  assert.ok(content.published_at >= publish_at)
  assert.equal(dataOf(await app.anon.get('/feeds?tag=timed')).pagination.total, 1)
  await endedDeliveries(ana, webhook.id)
  await publishDue(app.db, app.clock.now(), false)
  assert.equal((await deliveriesOf(ana, webhook.id)).length, 1)
  const [notice, ...more] = await noticesOf(draft.id)
  assert.deepEqual([notice?.type, more], ['system', []])
  assert.match(JSON.stringify(notice), /For @/)
  assert.equal((await noticesOf(draft.id, fan)).length, 1)
})

test('is published once, late, after a downtime, also by several processes', async () => {
  const drafts = await times(4, () => schedule({ title: `Late @${fan.handle}` }))
  app.clock.advance(2 * HOUR)
  const sibling = await app.sibling()
  await times(4, () => publishDue(app.db, app.clock.now(), false))
  await publishDue(sibling.db, app.clock.now(), false)
  for (const { id } of drafts) {
    await becomes(id, 'published')
    assert.equal((await noticesOf(id)).length, 1)
    assert.equal((await noticesOf(id, fan)).length, 1)
  }
  await sibling.close()
})

test('a wrong time is rejected with its field', async () => {
  const made = { category: 'hype', type: 'image', title: 'x' }
  const { id } = await makeContent(ana, { publish: false })
  for (const publish_at of [
    inMs(500),
    inMs(-DAY),
    inMs(367 * DAY),
    'tomorrow',
    '2030-02-30',
    '',
    5,
  ]) {
    assertInvalid(await ana.post('/contents', { ...made, publish_at }), 'publish_at')
    assertInvalid(await change(id, { publish_at }), 'publish_at')
  }
  const publish_at = inMs(MINUTE)
  assertInvalid(await ana.post('/contents', { ...made, publish_at, publish: true }), 'publish_at')
  assertInvalid(await change(id, { publish_at, status: 'published' }), 'publish_at')
  const far = inMs(364 * DAY)
  assert.equal(dataOf(await change(id, { publish_at: far })).content.publish_at, far)
  const draft = await makeContent(ana, { publish_at, publish: false })
  assert.deepEqual([draft.status, draft.publish_at], ['draft', publish_at])
  assert.equal((await makeContent(ana, { publish_at: null })).status, 'published')
})

test('null cancels, and a cancelled or archived draft is not published', async () => {
  const [cancelled, archived, moved] = [await schedule(), await schedule(), await schedule()]
  assert.equal(dataOf(await change(cancelled.id, { publish_at: null })).content.publish_at, null)
  dataOf(await ana.delete(`/contents/${archived.id}`), 204)
  assert.equal((await contentOf(archived.id)).publish_at, null)
  dataOf(await ana.post(`/contents/${archived.id}/restore`))
  dataOf(await change(moved.id, { publish_at: inMs(HOUR) }))
  app.clock.advance(2 * MINUTE)
  await publishDue(app.db, app.clock.now(), false)
  for (const { id } of [cancelled, archived, moved]) {
    assert.equal((await contentOf(id)).status, 'draft')
    assert.deepEqual(await noticesOf(id), [])
  }
  app.clock.advance(HOUR)
  await becomes(moved.id, 'published')
})

test('publishing by hand clears the time, and published or archived content takes none', async () => {
  const draft = await schedule()
  const { content } = dataOf(await change(draft.id, { status: 'published' }))
  assert.deepEqual([content.status, content.publish_at], ['published', null])
  for (const publish_at of [inMs(MINUTE), null]) {
    assertError(await change(draft.id, { publish_at }), 409, 'CONTENT_PUBLISHED')
  }
  assertError(await change(draft.id, { publish_at: null }, fan), 403, 'NOT_CONTENT_AUTHOR')
  const secondDraft = await schedule()
  assertError(await change(secondDraft.id, { publish_at: null }, fan), 404, 'CONTENT_NOT_FOUND')
  app.clock.advance(2 * MINUTE)
  await becomes(secondDraft.id, 'published')
  assert.deepEqual(await noticesOf(draft.id), [])
  dataOf(await ana.delete(`/contents/${draft.id}`), 204)
  assertError(await change(draft.id, { publish_at: inMs(MINUTE) }), 409, 'CONTENT_ARCHIVED')
})

test('a schedule that repeats is told again, and a test key schedules nothing', async () => {
  const { id } = await schedule()
  app.clock.advance(2 * MINUTE)
  const first = await becomes(id, 'published')
  dataOf(await ana.delete(`/contents/${id}`), 204)
  dataOf(await ana.post(`/contents/${id}/restore`))
  dataOf(await change(id, { publish_at: inMs(MINUTE), visibility: 'unlisted' }))
  dataOf(await ana.post('/notifications/read-all'))
  app.clock.advance(2 * MINUTE)
  const second = await becomes(id, 'published')
  assert.ok(second.published_at > first.published_at)
  const notices = await noticesOf(id)
  assert.deepEqual([notices.length, notices[0]?.is_read], [1, false])
  const { id: appId } = await makeApp(ana, { scopes: ['contents:write'] })
  const key = { environment: 'test', scopes: ['contents:write'] }
  const { raw_key: rawKey } = await makeKey(ana, appId, key)
  const body = { category: 'hype', type: 'image', title: 'x', publish_at: inMs(MINUTE) }
  const { content } = dataOf(await program(app, rawKey).post('/contents', body), 201)
  assert.deepEqual([content.status, content.publish_at], ['draft', null])
})

test('cancelling beside the due job: one wins, and the answer says which', async () => {
  const won = { author: 0, job: 0 }
  for (let round = 0; round < 12; round++) {
    const { id } = await schedule()
    app.clock.advance(MINUTE)
    const [answer] = await Promise.all([
      change(id, { publish_at: null }),
      publishDue(app.db, app.clock.now(), false),
    ])
    const { status, publish_at } = await contentOf(id)
    assert.equal(publish_at, null)
    if (answer.status === 200) {
      assert.equal(status, 'draft')
      assert.deepEqual(await noticesOf(id), [])
      won.author += 1
    } else {
      assertError(answer, 409, 'CONTENT_PUBLISHED')
      assert.equal(status, 'published')
      assert.equal((await noticesOf(id)).length, 1)
      won.job += 1
    }
  }
  assert.equal(won.author + won.job, 12)
})

describe('with media that still convert', { skip: NO_FFMPEG }, () => {
  const finish = async (actor: Actor, id: string, set: string) => {
    const rows = await app.sql(
      `select file_sha256 as hash from content_media where content_id = '${id}'`,
    )
    const hash = String(rows[0]?.['hash'])
    await app.sql(`update jobs set ${set}, due_at = null where subject = '${hash}'`)
    await app.db.transaction((tx) => publishConverted(tx, hash, app.clock.now()))
    return contentOf(id, actor)
  }
  const COMPLETED = `status = 'completed', progress = 1000`
  const FAILED = `status = 'failed', error = 'broken_file'`
  const film = (over: object = {}) =>
    makeMediaContent(ana, [makeBrokenMp4()], { publish_at: inMs(MINUTE), ...over })

  test('is published when both are done, whichever is last', async () => {
    const [early, late] = [await film(), await film()]
    const converted = await finish(ana, early.id, COMPLETED)
    assert.deepEqual([converted.status, converted.publish_at], ['draft', early.publish_at])
    assert.deepEqual(await noticesOf(early.id), [])
    app.clock.advance(2 * MINUTE)
    await becomes(early.id, 'published')
    const waiting = await becomes(late.id, 'processing')
    assert.equal(waiting.publish_at, late.publish_at)
    assertError(await app.anon.get(`/contents/${late.id}`), 404, 'CONTENT_NOT_FOUND')
    assertError(await change(late.id, { publish_at: null }), 409, 'CONTENT_PUBLISHED')
    assert.deepEqual(await noticesOf(late.id), [])
    const { status, publish_at } = await finish(ana, late.id, COMPLETED)
    assert.deepEqual([status, publish_at], ['published', null])
    for (const { id } of [early, late]) assert.equal((await noticesOf(id)).length, 1)
  })

  test('stays a draft when the conversion fails, and its author is told', async () => {
    const [before, after] = [await film(), await film()]
    await finish(ana, before.id, FAILED)
    app.clock.advance(2 * MINUTE)
    await becomes(after.id, 'processing')
    await finish(ana, after.id, FAILED)
    const isOver = async () => (await contentOf(before.id)).publish_at === null
    await until(isOver, 'the failed publication')
    for (const { id } of [before, after]) {
      const { status, publish_at } = await contentOf(id)
      assert.deepEqual([status, publish_at], ['draft', null])
      assert.ok((await noticesOf(id)).length > 0)
    }
    assert.equal((await noticesOf(before.id)).length, 2, 'the conversion, then the schedule')
    const kinds = await app.sql(
      `select kind from notifications where subject_id = '${after.id}:schedule'`,
    )
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['system.scheduled_failed'],
    )
    dataOf(await ana.delete(`/contents/${after.id}`), 204)
    dataOf(await ana.post(`/contents/${after.id}/erasure`), 202)
    assert.deepEqual(await noticesOf(after.id), [])
  })
})
