import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, idsOf, makeContent } from '../../test/make.ts'

const app = await startApp()

const listOf = async (who: Actor, path: string): Promise<string[]> =>
  idsOf(dataOf(await who.get(path)).feeds)

test('lists own content items newest first: all except archived ones, or those in one status', async () => {
  const [mina, jisoo] = [await app.user(), await app.user()]
  await makeContent(jisoo)
  const published = (await makeContent(mina)).id
  const draft = (await makeContent(mina, { publish: false })).id
  const archived = (await makeContent(mina)).id
  dataOf(await mina.delete(`/contents/${archived}`), 204)
  const expected: [string, string[]][] = [
    ['', [draft, published]],
    ['?status=draft', [draft]],
    ['?status=published', [published]],
    ['?status=archived', [archived]],
    ['?status=processing', []],
  ]
  for (const [query, ids] of expected) {
    for (const kind of ['contents', 'authored']) {
      const { feeds, pagination } = dataOf(await mina.get(`/users/me/${kind}${query}`))
      assert.deepEqual([idsOf(feeds), pagination.total], [ids, ids.length], kind + query)
    }
  }
  assertInvalid(await mina.get('/users/me/contents?status=gone'), 'status')
})

for (const { reaction, kind, alias, flag } of [
  { reaction: 'like', kind: 'likes', alias: 'liked', flag: 'is_liked' },
  { reaction: 'bookmark', kind: 'bookmarks', alias: 'bookmarked', flag: 'is_bookmarked' },
]) {
  test(`lists content items under ${kind} with the latest ${reaction} first, until it is removed`, async () => {
    const [mina, viewer, stranger] = [await app.user(), await app.user(), await app.user()]
    const contents = [await makeContent(mina), await makeContent(mina), await makeContent(mina)]
    const [a, b, c] = contents.map(({ id }) => id)
    for (const id of [b, c, a]) {
      app.clock.advance(1000)
      dataOf(await viewer.put(`/contents/${id}/${reaction}`))
    }
    dataOf(await stranger.put(`/contents/${a}/${reaction}`))
    assert.deepEqual(await listOf(viewer, `/users/me/${kind}`), [a, c, b])
    dataOf(await viewer.delete(`/contents/${c}/${reaction}`))
    app.clock.advance(1000)
    dataOf(await viewer.post(`/contents/${b}/${reaction}`))
    assert.deepEqual(await listOf(viewer, `/users/me/${kind}`), [a])
    dataOf(await viewer.post(`/contents/${b}/${reaction}`))
    const { feeds, pagination } = dataOf(await viewer.get(`/users/me/${alias}`))
    assert.deepEqual([idsOf(feeds), pagination.total], [[b, a], 2])
    assert.ok(feeds.every((content: Record<string, unknown>) => content[flag] === true))
    assert.deepEqual(await listOf(stranger, `/users/me/${kind}`), [a])
  })

  test(`omits an archived content item from ${kind}, with matching totals`, async () => {
    const [mina, viewer] = [await app.user(), await app.user()]
    const contents = [await makeContent(mina), await makeContent(mina), await makeContent(mina)]
    for (const { id } of contents) {
      app.clock.advance(1000)
      dataOf(await viewer.put(`/contents/${id}/${reaction}`))
    }
    dataOf(await mina.delete(`/contents/${contents[1].id}`), 204)
    const first = dataOf(await viewer.get(`/users/me/${kind}?per_page=1`))
    const second = dataOf(await viewer.get(`/users/me/${kind}?per_page=1&page=2`))
    assert.deepEqual(idsOf([...first.feeds, ...second.feeds]), [contents[2].id, contents[0].id])
    assert.deepEqual([first.pagination.total, second.pagination.has_next], [2, false])
    const past = dataOf(await viewer.get(`/users/me/${kind}?per_page=1&page=3`))
    assert.deepEqual([past.feeds, past.pagination.total], [[], 2])
  })
}
