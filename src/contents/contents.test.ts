import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Anyone, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
} from '../../test/make.ts'
import { deliveriesOf, makeWebhook } from '../../test/receiver.ts'
import { newId } from '../db/ids.ts'

const app = await startApp()
const base = { category: 'hype', type: 'video', title: 'A title' }
const read = async (who: Anyone, id: string) => dataOf(await who.get(`/contents/${id}`)).content

describe('creating', () => {
  test('returns the whole record, with null, [] and false for missing values', async () => {
    const ana = await app.user()
    const { id, creator, published_at, created_at, updated_at, ...rest } = await makeContent(ana, {
      title: '  Cafe\u0301 ',
    })
    assert.match(id, /^cnt_/)
    const { handle } = ana
    assert.deepEqual(creator, {
      id: ana.id,
      handle,
      display_name: handle,
      avatar_url: null,
      avatar_sizes: [],
    })
    assert.equal(published_at, created_at)
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      category: 'hype',
      type: 'image',
      title: 'Caf\u00e9',
      description: null,
      tags: [],
      status: 'published',
      media: [],
      thumbnail_url: null,
      thumbnail_sizes: [],
      game: null,
      like_count: 0,
      bookmark_count: 0,
      comment_count: 0,
      view_count: 0,
      play_count: 0,
      is_liked: false,
      is_bookmarked: false,
      visibility: 'public',
      publish_at: null,
      rating: 'everyone',
      rating_locked: false,
      warnings: [],
      warning_text: null,
      embedding: 'everywhere',
      comment_policy: 'everyone',
      pinned_comment_id: null,
      moderation: null,
      body: null,
    })
  })

  test('rejects a type of another category on `type` and stores nothing', async () => {
    const ana = await app.user()
    for (const [category, type] of [
      ['hype', 'game'],
      ['swipe', 'audio'],
      ['jump', 'video'],
    ]) {
      assertInvalid(await ana.post('/contents', { ...base, category, type }), 'type')
    }
    for (const category of ['constructor', { toString: 1 }, [], [['hype']]]) {
      assertInvalid(await ana.post('/contents', { ...base, category }), 'category')
    }
    assert.equal(dataOf(await ana.get(`/creators/${ana.handle}`)).creator.content_count, 0)
  })

  test('names every upload that does not exist', async () => {
    const ana = await app.user()
    const upload = newId('upl', Date.now())
    const answer = await ana.post('/contents', {
      ...base,
      upload_ids: [upload, 'zzz'],
      thumbnail_upload_id: upload,
    })
    for (const field of ['upload_ids.0', 'upload_ids.1', 'thumbnail_upload_id']) {
      assertInvalid(answer, field)
    }
    assertInvalid(await ana.post('/contents', { ...base, upload_ids: [5] }), 'upload_ids.0')
    const content = await makeContent(ana)
    const patch = { thumbnail_upload_id: upload }
    assertInvalid(await ana.patch(`/contents/${content.id}`, patch), 'thumbnail_upload_id')
  })

  test('keeps the first spelling of each tag and finds tags case-insensitively', async () => {
    const ana = await app.user()
    const tag = `Seoul${ana.handle}`
    const content = await makeContent(ana, { tags: [tag, tag.toUpperCase(), '서울', ' 서울 '] })
    assert.deepEqual(content.tags, [tag, '서울'])
    const { feeds } = dataOf(await app.anon.get(`/feeds?tag=${tag.toLowerCase()}`))
    assert.deepEqual(idsOf(feeds), [content.id])
    assertInvalid(await ana.post('/contents', { ...base, tags: ['ok', ' '] }), 'tags.1')
    assertInvalid(await ana.post('/contents', { ...base, tags: ['x'.repeat(51)] }), 'tags.0')
  })

  test('returns game details, with a runtime that the request cannot set', async () => {
    const ana = await app.user()
    const game = { runtime: 'swf', entry: 'a.html', orientation: 'landscape', controls: ['←', '→'] }
    const content = await makeContent(ana, { category: 'jump', type: 'game', game })
    assert.deepEqual(content.game, { ...game, runtime: null })
    const plain = await makeContent(ana, { category: 'jump', type: 'game' })
    const empty = { runtime: null, entry: null, orientation: null, controls: null }
    assert.deepEqual(plain.game, empty)
    assertInvalid(await ana.post('/contents', { ...base, game }), 'game')
  })
})

describe('the text of an article', () => {
  test('appears only in responses with a single content item, never in lists', async () => {
    const ana = await app.user()
    const content = await makeContent(ana, { type: 'article', body: 'Long text' })
    assert.equal(content.body, 'Long text')
    assert.equal((await read(app.anon, content.id)).body, 'Long text')
    const changed = await ana.patch(`/contents/${content.id}`, { body: 'Other text' })
    assert.equal(dataOf(changed).content.body, 'Other text')
    const list = await app.anon.get(`/creators/${ana.handle}/contents`)
    assert.equal(dataOf(list).feeds.length, 1)
    assert.ok(!list.text.includes('"body"'))
    assert.equal(
      dataOf(await ana.patch(`/contents/${content.id}`, { body: null })).content.body,
      null,
    )
  })

  test('is rejected for types other than article', async () => {
    const ana = await app.user()
    assertInvalid(await ana.post('/contents', { ...base, body: 'text' }), 'body')
    const content = await makeContent(ana)
    assertInvalid(
      await ana.patch(`/contents/${content.id}`, { body: 'text', title: 'New' }),
      'body',
    )
    assert.equal((await read(ana, content.id)).title, content.title)
    const none = await ana.patch(`/contents/${content.id}`, { body: null, title: 'New' })
    assert.deepEqual([dataOf(none).content.body, dataOf(none).content.title], [null, 'New'])
  })
})

describe('reading', () => {
  test('shows a draft only to its author; for others it looks missing', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const draft = await makeContent(ana, { publish: false })
    assert.deepEqual([draft.status, draft.published_at], ['draft', null])
    await read(ana, draft.id)
    const missing = await ben.get(`/contents/${newId('cnt', Date.now())}`)
    for (const path of ['', '/conversion', '/recommendations']) {
      const answer = await ben.get(`/contents/${draft.id}${path}`)
      assertError(answer, 404, 'CONTENT_NOT_FOUND')
      assert.deepEqual(answer.error, missing.error)
      dataOf(await ana.get(`/contents/${draft.id}${path}`))
    }
  })

  test('returns the flags of the viewer', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const content = await makeContent(ana)
    dataOf(await ben.put(`/contents/${content.id}/like`))
    dataOf(await ben.put(`/contents/${content.id}/bookmark`))
    const flags = ({ is_liked, is_bookmarked }: Record<string, unknown>) => [
      is_liked,
      is_bookmarked,
    ]
    assert.deepEqual(flags(await read(ben, content.id)), [true, true])
    assert.deepEqual(flags(await read(ana, content.id)), [false, false])
    assert.deepEqual(flags(await read(app.anon, content.id)), [false, false])
  })

  test('requires no conversion for a content item without media', async () => {
    const content = await makeContent(await app.user())
    assert.deepEqual(dataOf(await app.anon.get(`/contents/${content.id}/conversion`)).conversion, {
      status: 'not_required',
      progress: 1,
      renditions: [],
      error: null,
      updated_at: content.created_at,
    })
  })
})

describe('updating', () => {
  test('keeps fields that are missing and clears a description set to null', async () => {
    const ana = await app.user()
    const content = await makeContent(ana, { description: 'stay', tags: ['stay'] })
    const path = `/contents/${content.id}`
    const titled = dataOf(
      await ana.patch(path, { title: 'only', like_count: 5, category: 'swipe' }),
    )
    const { updated_at } = titled.content
    assert.ok(updated_at > content.updated_at)
    assert.deepEqual(titled.content, { ...content, title: 'only', updated_at })
    const cleared = dataOf(await ana.patch(path, { description: null })).content
    assert.deepEqual([cleared.description, cleared.tags], [null, ['stay']])
  })

  test("replaces the content's tags", async () => {
    const ana = await app.user()
    const [from, to] = [`from${ana.handle}`, `to${ana.handle}`]
    const content = await makeContent(ana, { tags: [from] })
    dataOf(await ana.patch(`/contents/${content.id}`, { tags: [to] }))
    assert.equal(dataOf(await app.anon.get(`/feeds?tag=${from}`)).pagination.total, 0)
    assert.equal(dataOf(await app.anon.get(`/feeds?tag=${to}`)).pagination.total, 1)
  })

  test('checks the body, then the author, then whether it is archived', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const [content, draft] = [await makeContent(ana), await makeContent(ana, { publish: false })]
    const path = `/contents/${content.id}`
    assertInvalid(await ben.patch(path, { title: ' ' }), 'title')
    assertError(await ben.patch(path, { title: 'x' }), 403, 'NOT_CONTENT_AUTHOR')
    assertError(await ben.delete(path), 403, 'NOT_CONTENT_AUTHOR')
    assertError(await ben.patch(`/contents/${draft.id}`, { title: 'x' }), 404, 'CONTENT_NOT_FOUND')
    assertError(await ben.delete(`/contents/${draft.id}`), 404, 'CONTENT_NOT_FOUND')
    assert.equal((await ana.delete(path)).status, 204)
    assertError(await ben.patch(path, { title: 'x' }), 404, 'CONTENT_NOT_FOUND')
    assertInvalid(await ana.patch(path, { status: 'draft' }), 'status')
    assertError(await ana.patch(path, { status: 'published' }), 409, 'CONTENT_ARCHIVED')
    assert.equal((await read(ana, content.id)).title, content.title)
  })

  test('sends nothing and keeps `updated_at` when no value changes', async () => {
    const ana = await app.user()
    const { webhook } = await makeWebhook(ana, 'https://receiver.invalid/', ['content.updated'])
    const over = { type: 'article', body: 'Text', title: 'Same', tags: ['tea'] }
    const content = await makeContent(ana, over)
    const path = `/contents/${content.id}`
    app.clock.advance(1000)
    const { title, tags, description, body } = content
    for (const same of [
      { status: 'published' },
      { title },
      { body },
      { thumbnail_upload_id: null },
      { title, tags, description, body, status: 'published' },
    ]) {
      assert.deepEqual(dataOf(await ana.patch(path, same)).content, content)
    }
    assert.deepEqual(await deliveriesOf(ana, webhook.id), [])
    const changed = dataOf(await ana.patch(path, { title, body: 'Other' })).content
    assert.ok(changed.updated_at > content.updated_at)
    assert.equal((await deliveriesOf(ana, webhook.id)).length, 1)
  })

  test('is the only action that moves `updated_at`: likes, comments and views do not', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const content = await makeContent(ana)
    dataOf(await ben.put(`/contents/${content.id}/like`))
    await makeComment(ben, content.id)
    await read(ben, content.id)
    await app.deps.views.flush()
    dataOf(await ana.patch(`/contents/${content.id}`, {}))
    const { like_count, comment_count, view_count, updated_at } = await read(ana, content.id)
    assert.deepEqual([like_count, comment_count, view_count], [1, 1, 1])
    assert.equal(updated_at, content.updated_at)
  })
})

describe('archiving', () => {
  test('hides a content item for good and does nothing when repeated', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const content = await makeContent(ana, { tags: [ana.handle] })
    dataOf(await ben.put(`/contents/${content.id}/like`))
    for (let i = 0; i < 3; i++)
      assert.equal((await ana.delete(`/contents/${content.id}`)).status, 204)
    const unchanged = await read(ana, content.id)
    assert.deepEqual(
      [unchanged.status, unchanged.like_count, unchanged.tags],
      ['archived', 1, [ana.handle]],
    )
    assertError(await ben.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    assertError(await ben.post(`/contents/${content.id}/like`), 404, 'CONTENT_NOT_FOUND')
    assertError(await ben.put(`/contents/${content.id}/bookmark`), 404, 'CONTENT_NOT_FOUND')
    assert.equal(dataOf(await ben.get(`/feeds?tag=${ana.handle}`)).pagination.total, 0)
    assert.equal(dataOf(await ben.get(`/creators/${ana.handle}`)).creator.content_count, 0)
  })
})

describe('mentions in a title', () => {
  const mentionsOf = async (who: Actor) =>
    dataOf(await who.get('/notifications')).notifications.filter(
      ({ type }: { type: string }) => type === 'mention',
    )

  test('notify once, when the content is published', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const title = `For @${ben.handle.toUpperCase()} and @${ana.handle}`
    const draft = await makeContent(ana, { title, publish: false })
    assert.deepEqual(await mentionsOf(ben), [])
    const publish = { status: 'published' }
    for (let i = 0; i < 2; i++) dataOf(await ana.patch(`/contents/${draft.id}`, publish))
    const [notification, ...more] = await mentionsOf(ben)
    assert.deepEqual([notification.actor.id, notification.link], [ana.id, `/contents/${draft.id}`])
    assert.deepEqual(more, [])
    assert.deepEqual(await mentionsOf(ana), [])
  })
})
