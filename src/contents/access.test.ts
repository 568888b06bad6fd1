import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
} from '../../test/make.ts'
import { makePageGame } from '../../test/playing.ts'
import { deliveriesOf, makeWebhook, receive, endedDeliveries } from '../../test/receiver.ts'
import { makeDecision, makeModerator, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)
const [ana, fan, stranger] = [await app.user(), await app.user(), await app.user()]
dataOf(await fan.put(`/creators/${ana.handle}/follow`))

const change = (id: string, body: object, actor = ana) => actor.patch(`/contents/${id}`, body)
const contentOf = async (actor: typeof app.anon, id: string) =>
  dataOf(await actor.get(`/contents/${id}`)).content
const followed = async (actor: Actor, query = '') =>
  dataOf(await actor.get(`/feeds?sort=following${query}`))
const mentionsOf = async (actor: Actor, id: string) =>
  dataOf(await actor.get('/notifications?per_page=100')).notifications.filter(
    ({ type, link }: { type: string; link: string | null }) =>
      type === 'mention' && link?.includes(id),
  )

test('content is public unless its author chooses otherwise, and shows all choices', async () => {
  const plain = await makeContent(ana)
  assert.deepEqual(
    [plain.visibility, plain.publish_at, plain.rating, plain.rating_locked],
    ['public', null, 'everyone', false],
  )
  assert.deepEqual(
    [plain.warnings, plain.warning_text, plain.embedding, plain.moderation],
    [[], null, 'everywhere', null],
  )
  const chosen = {
    visibility: 'unlisted',
    rating: 'teen',
    warnings: ['violence', 'flashing', 'violence'],
    warning_text: 'A storm',
    embedding: 'nowhere',
  }
  const made = await makeContent(ana, chosen)
  const stored = { ...chosen, warnings: ['violence', 'flashing'] }
  const shown = await contentOf(app.anon, made.id)
  for (const [name, value] of Object.entries(stored)) assert.deepEqual(shown[name], value, name)
  const changed = dataOf(await change(plain.id, chosen)).content
  for (const [name, value] of Object.entries(stored)) assert.deepEqual(changed[name], value, name)
  const cleared = dataOf(await change(plain.id, { warnings: [], warning_text: null })).content
  assert.deepEqual([cleared.warnings, cleared.warning_text], [[], null])
})

test('unknown values are rejected with their field', async () => {
  const { id } = await makeContent(ana)
  for (const [field, body] of [
    ['visibility', { visibility: 'private' }],
    ['visibility', { visibility: null }],
    ['rating', { rating: 'mature' }],
    ['warnings.1', { warnings: ['nudity', 'politics'] }],
    ['warning_text', { warning_text: 'x'.repeat(201) }],
    ['embedding', { embedding: 'here' }],
  ] as const) {
    assertInvalid(await change(id, body), field)
    const made = { category: 'hype', type: 'image', title: 'x', ...body }
    assertInvalid(await ana.post('/contents', made), field)
  }
  assert.equal(
    dataOf(await change(id, { warning_text: 'x'.repeat(200) })).content.rating,
    'everyone',
  )
})

describe('unlisted content', () => {
  test('is open to everyone with the address, with likes, comments and views', async () => {
    const { id } = await makeContent(ana, { visibility: 'unlisted' })
    for (const actor of [app.anon, stranger, fan]) {
      assert.equal((await contentOf(actor, id)).visibility, 'unlisted')
      dataOf(await actor.get(`/contents/${id}/recommendations`))
      dataOf(await actor.get(`/contents/${id}/conversion`))
    }
    dataOf(await stranger.put(`/contents/${id}/like`))
    dataOf(await stranger.put(`/contents/${id}/bookmark`))
    await makeComment(stranger, id)
    await app.deps.views.flush()
    const shown = await contentOf(app.anon, id)
    assert.deepEqual(
      [shown.like_count, shown.bookmark_count, shown.comment_count, shown.view_count],
      [1, 1, 1, 3],
    )
    assert.equal(dataOf(await app.anon.get(`/contents/${id}/comments`)).pagination.total, 1)
    assert.deepEqual(idsOf(dataOf(await stranger.get('/users/me/likes')).feeds), [id])
    assert.deepEqual(idsOf(dataOf(await stranger.get('/users/me/bookmarks')).feeds), [id])
    assertError(await change(id, { title: 'x' }, stranger), 403, 'NOT_CONTENT_AUTHOR')
    dataOf(await ana.delete(`/contents/${id}`), 204)
    assertError(await app.anon.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
    assert.deepEqual(dataOf(await stranger.get('/users/me/likes')).feeds, [])
    assert.deepEqual(dataOf(await stranger.get('/users/me/bookmarks')).pagination.total, 0)
  })

  test('can be played and its file streamed', async () => {
    const game = await makePageGame(ana, {}, { visibility: 'unlisted' })
    dataOf(await app.anon.get(`/jump/games/${game.id}`))
    dataOf(await stranger.post(`/jump/games/${game.id}/play`, { id: game.id }))
    assert.equal((await contentOf(app.anon, game.id)).play_count, 1)
    assert.ok(!JSON.stringify(dataOf(await app.anon.get('/jump/games'))).includes(game.id))
  })
})

describe('content for followers', () => {
  test('is 404 for everyone but followers, its author and moderators', async () => {
    const { id } = await makeContent(ana, { visibility: 'followers' })
    const comment = await makeComment(fan, id)
    for (const actor of [app.anon, stranger]) {
      for (const path of ['', '/comments', '/likers', '/recommendations', '/conversion']) {
        assertError(await actor.get(`/contents/${id}${path}`), 404, 'CONTENT_NOT_FOUND')
      }
    }
    for (const answer of [
      await stranger.put(`/contents/${id}/like`),
      await stranger.post(`/contents/${id}/like`),
      await stranger.put(`/contents/${id}/bookmark`),
      await stranger.post(`/contents/${id}/comments`, { body: 'x' }),
      await stranger.patch(`/contents/${id}`, { title: 'x' }),
      await stranger.delete(`/contents/${id}`),
      await stranger.post('/reports', { subject: { kind: 'content', id }, reason: 'spam' }),
    ]) {
      assertError(answer, 404, 'CONTENT_NOT_FOUND')
    }
    const about = { subject: { kind: 'comment', id: comment.id }, reason: 'spam' }
    assertError(await stranger.post('/reports', about), 404, 'COMMENT_NOT_FOUND')
    for (const actor of [fan, ana, moderator]) {
      await contentOf(actor, id)
      assert.equal(dataOf(await actor.get(`/contents/${id}/comments`)).pagination.total, 1)
    }
    assertError(await moderator.put(`/contents/${id}/like`), 404, 'CONTENT_NOT_FOUND')
    assertError(await fan.patch(`/contents/${id}`, { title: 'x' }), 403, 'NOT_CONTENT_AUTHOR')
    dataOf(await fan.put(`/contents/${id}/like`))
    dataOf(await ana.put(`/contents/${id}/like`))
    await app.deps.views.flush()
    const shown = await contentOf(ana, id)
    assert.deepEqual([shown.like_count, shown.comment_count, shown.view_count], [2, 1, 1])
    assertInvalid(await fan.post('/reports', about), 'subject')
  })

  test('is listed only in the feed of followers, with its total', async () => {
    const maker = await app.user()
    const reader = await app.user()
    dataOf(await reader.put(`/creators/${maker.handle}/follow`))
    const shown = await makeContent(maker)
    app.clock.advance(1000)
    const closed = await makeContent(maker, {
      visibility: 'followers',
      category: 'swipe',
      type: 'video',
    })
    app.clock.advance(1000)
    const last = await makeContent(maker)
    const feed = await followed(reader)
    assert.deepEqual(idsOf(feed.feeds), [last.id, closed.id, shown.id])
    assert.equal(feed.pagination.total, 3)
    const swipe = dataOf(await reader.get('/feeds/swipe?sort=following'))
    assert.deepEqual([idsOf(swipe.feeds), swipe.pagination.total], [[closed.id], 1])
    assert.deepEqual(idsOf((await followed(reader, '&per_page=1&page=2')).feeds), [closed.id])
    assert.deepEqual(idsOf((await followed(reader, '&per_page=2&page=2')).feeds), [shown.id])
    assert.deepEqual((await followed(stranger)).feeds, [])
    const profile = dataOf(await reader.get(`/creators/${maker.handle}`)).creator
    assert.equal(profile.content_count, 2)
    const page = dataOf(await reader.get(`/creators/${maker.handle}/contents`))
    assert.deepEqual([idsOf(page.feeds), page.pagination.total], [[last.id, shown.id], 2])
    assert.deepEqual(await app.drifted(), [])
  })

  test('closes with the unfollow, also in lists of likes and bookmarks', async () => {
    const reader = await app.user()
    dataOf(await reader.put(`/creators/${ana.handle}/follow`))
    const { id } = await makeContent(ana, { visibility: 'followers' })
    dataOf(await reader.put(`/contents/${id}/like`))
    dataOf(await reader.put(`/contents/${id}/bookmark`))
    const lists = ['/users/me/likes', '/users/me/bookmarks']
    for (const list of lists) assert.deepEqual(idsOf(dataOf(await reader.get(list)).feeds), [id])
    dataOf(await reader.delete(`/creators/${ana.handle}/follow`))
    assertError(await reader.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
    assertError(await reader.delete(`/contents/${id}/like`), 404, 'CONTENT_NOT_FOUND')
    for (const list of lists) {
      const { feeds, pagination } = dataOf(await reader.get(list))
      assert.deepEqual([feeds, pagination.total], [[], 0])
    }
    dataOf(await reader.put(`/creators/${ana.handle}/follow`))
    assert.equal((await contentOf(reader, id)).is_liked, true)
    for (const list of lists) assert.deepEqual(idsOf(dataOf(await reader.get(list)).feeds), [id])
    dataOf(await ana.put(`/creators/${reader.handle}/block`))
    assertError(await reader.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
    assert.deepEqual(await app.drifted(), [])
  })

  test('notifies only users who can open it about comments', async () => {
    const { id } = await makeContent(ana, {
      visibility: 'followers',
      title: `For @${stranger.handle} and @${fan.handle}`,
    })
    const { id: commentId } = await makeComment(fan, id, { body: `@${stranger.handle}` })
    assert.deepEqual(await mentionsOf(stranger, id), [])
    assert.deepEqual(await mentionsOf(fan, id), [])
    const leaver = await app.user()
    dataOf(await leaver.put(`/creators/${ana.handle}/follow`))
    const parent = await makeComment(leaver, id, { body: `@${fan.handle}` })
    assert.equal((await mentionsOf(fan, id)).length, 1)
    dataOf(await leaver.delete(`/creators/${ana.handle}/follow`))
    await makeComment(fan, id, { parent_id: parent.id })
    dataOf(await fan.patch(`/comments/${commentId}`, { body: `@${leaver.handle}` }))
    assert.equal(dataOf(await leaver.get('/notifications/unread-count')).unread_count, 0)
  })

  test('has a game that only followers can start', async () => {
    const game = await makePageGame(ana, {}, { visibility: 'followers' })
    const play = (actor: Actor) => actor.post(`/jump/games/${game.id}/play`, { id: game.id })
    assertError(await stranger.get(`/jump/games/${game.id}`), 404, 'GAME_NOT_FOUND')
    assertError(await play(stranger), 404, 'GAME_NOT_FOUND')
    const thumbnail = `/contents/${game.id}/thumbnail-job`
    assertError(await stranger.get(thumbnail), 404, 'CONTENT_NOT_FOUND')
    assertError(await fan.get(thumbnail), 403, 'NOT_CONTENT_AUTHOR')
    dataOf(await play(fan))
    assert.equal((await contentOf(fan, game.id)).play_count, 1)
  })
})

test('drafts stay closed to moderators, whatever their visibility', async () => {
  for (const visibility of ['public', 'unlisted', 'followers']) {
    const { id } = await makeContent(ana, { visibility, publish: false })
    for (const actor of [app.anon, fan, moderator, admin]) {
      assertError(await actor.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
      if (actor !== app.anon)
        assertError(await actor.put(`/contents/${id}/like`), 404, 'CONTENT_NOT_FOUND')
    }
    assert.equal((await contentOf(ana, id)).visibility, visibility)
  }
})

test('becoming public for the first time publishes once, and other changes are updates', async () => {
  const receiver = await receive()
  const owner = await app.user()
  const events = ['content.published', 'content.updated', 'content.archived']
  const { webhook } = await makeWebhook(owner, receiver.url, events)
  const title = `For @${stranger.handle}`
  const made = await makeContent(owner, { visibility: 'unlisted', title, tags: ['quiet'] })
  const { id } = made
  assert.deepEqual(await deliveriesOf(owner, webhook.id), [])
  assert.deepEqual(await mentionsOf(stranger, id), [])
  app.clock.advance(60_000)
  const shown = dataOf(await change(id, { visibility: 'public' }, owner)).content
  assert.ok(shown.published_at > made.published_at)
  assert.equal((await mentionsOf(stranger, id)).length, 1)
  assert.equal(dataOf(await app.anon.get('/feeds?tag=quiet')).pagination.total, 1)
  for (const visibility of ['unlisted', 'public', 'followers', 'public']) {
    app.clock.advance(1000)
    const { content } = dataOf(await change(id, { visibility }, owner))
    assert.equal(content.published_at, shown.published_at)
  }
  dataOf(await change(id, { visibility: 'public' }, owner))
  assert.equal((await mentionsOf(stranger, id)).length, 1)
  dataOf(await change(id, { visibility: 'followers', tags: ['loud'] }, owner))
  assert.equal(dataOf(await app.anon.get('/feeds?tag=quiet')).pagination.total, 0)
  dataOf(await change(id, { visibility: 'public' }, owner))
  assert.equal(dataOf(await app.anon.get('/feeds?tag=loud')).pagination.total, 1)
  dataOf(await owner.delete(`/contents/${id}`), 204)
  const kinds = (await endedDeliveries(owner, webhook.id)).map(({ event }) => event).reverse()
  assert.deepEqual(kinds, [
    'content.published',
    ...Array.from({ length: 6 }, () => 'content.updated'),
    'content.archived',
  ])
  assert.deepEqual(await app.drifted(), [])
})

test('a draft is published to the viewers that its author chose', async () => {
  const { id } = await makeContent(ana, { publish: false, tags: ['later'] })
  dataOf(await change(id, { visibility: 'followers' }))
  const { content } = dataOf(await change(id, { status: 'published' }))
  assert.ok(content.published_at)
  assertError(await stranger.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
  await contentOf(fan, id)
  dataOf(await ana.delete(`/contents/${id}`), 204)
  assertError(await fan.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
  dataOf(await ana.post(`/contents/${id}/restore`))
  dataOf(await change(id, { visibility: 'public', status: 'published' }))
  await contentOf(stranger, id)
  assert.deepEqual(await app.drifted(), [])
})

test('hidden content stays hidden when its visibility changes, and then opens as chosen', async () => {
  const author = await app.user()
  const receiver = await receive()
  const events = ['content.published', 'content.hidden', 'content.restored']
  const { webhook } = await makeWebhook(author, receiver.url, events)
  const { id } = await makeContent(author, { visibility: 'unlisted' })
  const decision = await makeDecision(moderator, 'hide', 'content', id)
  assertError(await stranger.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
  const hidden = dataOf(await change(id, { visibility: 'public' }, author)).content
  assert.deepEqual([hidden.visibility, hidden.moderation.state], ['public', 'hidden'])
  assertError(await stranger.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
  assert.deepEqual(await deliveriesOf(author, webhook.id), [])
  dataOf(await undo(moderator, decision))
  await contentOf(stranger, id)
  const kinds = (await endedDeliveries(author, webhook.id)).map(({ event }) => event)
  assert.deepEqual(kinds, ['content.published'])
  assert.deepEqual(await app.drifted(), [])
})
