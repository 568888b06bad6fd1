import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  makePost,
} from '../../test/make.ts'
import { makeModuleGame } from '../../test/playing.ts'

const app = await startApp()

const act = async (kind: 'block' | 'mute', user: Actor, target: Actor) =>
  dataOf(await user.put(`/creators/${target.handle}/${kind}`))

async function trio(): Promise<[Actor, Actor, Actor]> {
  return [await app.user(), await app.user(), await app.user()]
}

/** Asserts that a collapsed record has no text and no author, and otherwise equals the full record. */
function assertCollapsed(record: Loose, full: Loose): void {
  assert.deepEqual(record, { ...full, body: '', author: null, is_filtered: true })
  assert.equal(full.is_filtered, false)
}

for (const kind of ['block', 'mute'] as const) {
  describe(`after a ${kind}`, () => {
    test("comments keep their place without text and author, for the caller's list only", async () => {
      const [ana, ben, cho] = await trio()
      const content = await makeContent(cho)
      const first = await makeComment(ben, content.id)
      const reply = await makeComment(cho, content.id, { parent_id: first.id })
      const own = await makeComment(ana, content.id)
      await act(kind, ana, ben)
      const path = `/contents/${content.id}/comments`
      const open = dataOf(await app.anon.get(path))
      for (const query of ['', '?sort=newest', '?parent_id=none', '?filtered=collapse']) {
        const { comments, pagination } = dataOf(await ana.get(path + query))
        const unfiltered = dataOf(await app.anon.get(path + query))
        assert.deepEqual(idsOf(comments), idsOf(unfiltered.comments))
        assert.deepEqual(pagination, unfiltered.pagination)
        const collapsed = comments.find((comment: Loose) => comment.id === first.id)
        assertCollapsed(
          collapsed,
          unfiltered.comments.find((comment: Loose) => comment.id === first.id),
        )
        const rest = (list: Loose[]) => list.filter(({ id }) => id !== first.id)
        assert.deepEqual(rest(comments), rest(unfiltered.comments))
      }
      assert.deepEqual(dataOf(await ana.get(`${path}?filtered=show`)), open)
      for (const viewer of [ben, cho]) assert.deepEqual(dataOf(await viewer.get(path)), open)
      assert.deepEqual(idsOf(open.comments), idsOf([first, reply, own]))
      assertInvalid(await ana.get(`${path}?filtered=maybe`), 'filtered')
      const answer = await ana.get(path)
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    })

    test('a deleted comment does not show whose it was', async () => {
      const [ana, ben, cho] = await trio()
      const content = await makeContent(cho)
      const first = await makeComment(ben, content.id)
      await makeComment(cho, content.id, { parent_id: first.id })
      dataOf(await ben.delete(`/comments/${first.id}`), 204)
      await act(kind, ana, ben)
      const path = `/contents/${content.id}/comments`
      assert.deepEqual(dataOf(await ana.get(path)), dataOf(await app.anon.get(path)))
    })

    test('posts keep their place in the timeline and in threads, and others see the thread', async () => {
      const [ana, ben, cho] = await trio()
      const root = await makePost(ben)
      const reply = dataOf(await cho.post(`/posts/${root.id}/replies`, { body: 'one' }), 201).post
      const last = dataOf(await ben.post(`/posts/${reply.id}/replies`, { body: 'two' }), 201).post
      await act(kind, ana, ben)
      const timeline = async (who: typeof app.anon, query = '') =>
        dataOf(await who.get(`/feed?limit=1${query}`)).posts[0]
      assertCollapsed(await timeline(ana), await timeline(app.anon))
      assert.deepEqual(await timeline(ana, '&filtered=show'), await timeline(app.anon))
      assert.equal((await timeline(cho)).id, root.id)

      const thread = async (who: typeof app.anon, id: string, query = '') =>
        dataOf(await who.get(`/posts/${id}/thread${query}`))
      const [mine, open] = [await thread(ana, reply.id), await thread(app.anon, reply.id)]
      assertCollapsed(mine.ancestors[0], open.ancestors[0])
      assert.deepEqual(mine.post, open.post)
      assertCollapsed(mine.replies[0], open.replies[0])
      assert.equal(mine.replies[0].id, last.id)
      const head = await thread(ana, root.id)
      assertCollapsed(head.post, (await thread(app.anon, root.id)).post)
      assert.deepEqual(await thread(ana, reply.id, '?filtered=show'), open)
      assert.deepEqual(await thread(cho, reply.id), open)
      assertInvalid(await ana.get('/feed?filtered=maybe'), 'filtered')
      assert.equal(dataOf(await ana.get(`/posts/${root.id}`)).post.body, root.body)
    })

    test('feeds, games and recommendations leave content out and keep the total', async () => {
      const [ana, ben, cho] = await trio()
      const tag = `t${ben.handle}`
      const hidden = await makeContent(ben, { tags: [tag] })
      const shown = await makeContent(cho, { tags: [tag] })
      const game = await makeModuleGame(ben)
      dataOf(await ana.put(`/contents/${hidden.id}/like`))
      dataOf(await ana.put(`/contents/${hidden.id}/bookmark`))
      await act(kind, ana, ben)
      for (const path of [`/feeds?tag=${tag}`, `/feeds/hype?tag=${tag}&sort=popular`]) {
        const { feeds, pagination } = dataOf(await ana.get(path))
        assert.deepEqual(idsOf(feeds), [shown.id])
        assert.equal(pagination.total, 2)
        assert.equal(dataOf(await app.anon.get(path)).feeds.length, 2)
        const alone = dataOf(await ana.get(`${path}&per_page=1&page=2`))
        assert.ok(alone.feeds.length <= 1 && alone.pagination.total === 2)
      }
      const feed = dataOf(await ana.get('/feeds?per_page=2'))
      assert.ok(!idsOf(feed.feeds).includes(game.id))
      assert.ok(feed.pagination.total >= 3)
      const games = dataOf(await ana.get('/jump/games'))
      const open = dataOf(await app.anon.get('/jump/games'))
      assert.ok(!idsOf(games.games).includes(game.id) && idsOf(open.games).includes(game.id))
      assert.equal(games.pagination.total, open.pagination.total)
      const otherGame = await makeModuleGame(cho)
      const shelves = `/jump/games/${otherGame.id}?include=related,popular`
      const mine = dataOf(await ana.get(shelves))
      assert.ok(!idsOf([...mine.related, ...mine.popular]).includes(game.id))
      assert.ok(idsOf(dataOf(await app.anon.get(shelves)).popular).includes(game.id))
      const near = `/contents/${shown.id}/recommendations?limit=50`
      assert.ok(!idsOf(dataOf(await ana.get(near)).feeds).includes(hidden.id))
      assert.ok(idsOf(dataOf(await app.anon.get(near)).feeds).includes(hidden.id))

      // The viewer's own lists, the creator's page and the content's page still show the content.
      for (const path of ['/users/me/likes', '/users/me/bookmarks'])
        assert.deepEqual(idsOf(dataOf(await ana.get(path)).feeds), [hidden.id])
      dataOf(await ana.get(`/contents/${hidden.id}`))
      const page = dataOf(await ana.get(`/creators/${ben.handle}/contents`))
      assert.ok(idsOf(page.feeds).includes(hidden.id))
      assert.ok(idsOf(dataOf(await ben.get(`/feeds?tag=${tag}`)).feeds).includes(shown.id))
    })

    test('withdraws unread notifications of that user and writes no more', async () => {
      const [ana, ben, cho] = await trio()
      const content = await makeContent(ana)
      const elsewhere = await makeContent(cho)
      const read = await makeComment(ben, content.id, { body: 'read' })
      dataOf(await ana.post('/notifications/read-all'))
      dataOf(await ben.put(`/contents/${content.id}/like`))
      dataOf(await ben.put(`/creators/${ana.handle}/follow`))
      await makePost(ben, `hello @${ana.handle}`)
      await makeComment(cho, content.id)
      const list = async (who: Actor) => dataOf(await who.get('/notifications'))
      assert.deepEqual([(await list(ana)).unread_count, (await list(ana)).pagination.total], [4, 5])
      await act(kind, ana, ben)
      const left = await list(ana)
      assert.deepEqual([left.unread_count, left.pagination.total], [1, 2])
      assert.deepEqual(
        left.notifications.map(({ actor }: Loose) => actor.id),
        [cho.id, ben.id],
      )
      assert.ok(left.notifications[1].link.includes(read.id))
      await makePost(ben, `again @${ana.handle}`)
      await makeComment(ben, elsewhere.id, { body: `@${ana.handle} @${cho.handle}` })
      if (kind === 'mute') await makeComment(ben, content.id)
      assert.deepEqual(await list(ana), left)
      assert.equal((await list(cho)).unread_count, 1)

      // Ana's mention notifies Ben if she mutes him, but not if she blocks him.
      const before = (await list(ben)).unread_count
      await makePost(ana, `hello @${ben.handle}`)
      assert.equal((await list(ben)).unread_count - before, kind === 'mute' ? 1 : 0)
    })
  })
}

test('withdraws the notification of a follow that a block ends', async () => {
  const [ana, ben] = await trio()
  dataOf(await ana.put(`/creators/${ben.handle}/follow`))
  assert.equal(dataOf(await ben.get('/notifications/unread-count')).unread_count, 1)
  await act('block', ana, ben)
  const list = dataOf(await ben.get('/notifications'))
  assert.deepEqual([list.unread_count, list.notifications], [0, []])
})

test('leaves muted creators out of the feed of followed ones, and their follow in place', async () => {
  const [ana, ben, cho] = await trio()
  const [hidden, shown] = [await makeContent(ben), await makeContent(cho)]
  for (const { handle } of [ben, cho]) dataOf(await ana.put(`/creators/${handle}/follow`))
  await act('mute', ana, ben)
  const feed = async () => dataOf(await ana.get('/feeds?sort=following'))
  assert.deepEqual(idsOf((await feed()).feeds), [shown.id])
  assert.equal((await feed()).pagination.total, 2)
  dataOf(await ana.delete(`/creators/${ben.handle}/mute`))
  assert.deepEqual(idsOf((await feed()).feeds), [shown.id, hidden.id])
})

test('answers an empty page, not an error, when everything on it is left out', async () => {
  const [ana, ben] = await trio()
  const tag = `only${ben.handle}`
  await makeContent(ben, { tags: [tag] })
  await act('block', ana, ben)
  const { feeds, pagination } = dataOf(await ana.get(`/feeds?tag=${tag}`))
  assert.deepEqual([feeds, pagination.total], [[], 1])
})

test('does not show the blocked user who blocked', async () => {
  const [ana, ben] = await trio()
  const content = await makeContent(ana)
  const before = dataOf(await ben.get(`/contents/${content.id}`))
  const profile = dataOf(await ben.get(`/creators/${ana.handle}`))
  await act('block', ana, ben)
  assert.deepEqual(dataOf(await ben.get(`/contents/${content.id}`)), before)
  assert.deepEqual(dataOf(await ben.get(`/creators/${ana.handle}`)), profile)
  const answer = await ben.put(`/contents/${content.id}/like`)
  assertError(answer, 403, 'NOT_ALLOWED_HERE')
  assert.doesNotMatch(answer.text, /block|차단/i)
})
