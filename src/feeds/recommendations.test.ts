import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  times,
} from '../../test/make.ts'
import { newId } from '../db/ids.ts'

const app = await startApp()
const [ana, ben, cho] = await Promise.all([app.user(), app.user(), app.user()])

async function recommended(id: string, query = ''): Promise<string[]> {
  const { feeds } = dataOf(await app.anon.get(`/contents/${id}/recommendations${query}`))
  return idsOf(feeds)
}

describe('recommendations', () => {
  test('rank shared tags before creator and audience, then popular content items', async () => {
    const content = await makeContent(ana, { tags: ['kite', 'Wind'] })
    const byTags = await makeContent(ben, { tags: ['WIND', 'kite'] })
    const byTag = await makeContent(ben, { tags: ['wind'] })
    const byLiker = await makeContent(cho)
    const popular = await makeContent(cho)
    dataOf(await ben.put(`/contents/${content.id}/like`))
    dataOf(await ben.put(`/contents/${byLiker.id}/like`))
    for (const fan of [ana, cho]) dataOf(await fan.put(`/contents/${popular.id}/like`))
    assert.deepEqual(await recommended(content.id, '?limit=4'), [
      byTags.id,
      byTag.id,
      byLiker.id,
      popular.id,
    ])
  })

  test('follow the 25 users who liked the content most recently', async () => {
    const [content, early, late] = [
      await makeContent(ana),
      await makeContent(ben),
      await makeContent(ben),
    ]
    const last = await app.user()
    const others = await times(24, () => app.user())
    const first = await app.user()
    for (const likers of [[first], others, [last]]) {
      for (const liker of likers) dataOf(await liker.put(`/contents/${content.id}/like`))
      app.clock.advance(1000)
    }
    for (const fan of [first, ana, cho]) dataOf(await fan.put(`/contents/${early.id}/like`))
    dataOf(await last.put(`/contents/${late.id}/like`))
    const ids = await recommended(content.id, '?limit=50')
    assert.ok(ids.indexOf(late.id) < ids.indexOf(early.id))
  })

  test('contain only public content, each item once, and never the content itself', async () => {
    const user = await app.user()
    const content = await makeContent(user, { tags: ['moss'] })
    const draft = await makeContent(user, { tags: ['moss'], publish: false })
    const archived = await makeContent(user, { tags: ['moss'] })
    assert.equal((await user.delete(`/contents/${archived.id}`)).status, 204)
    const ids = await recommended(content.id, '?limit=50')
    for (const { id } of [content, draft, archived]) assert.ok(!ids.includes(id))
    assert.equal(new Set(ids).size, ids.length)
  })

  test('have pages without gaps, and `has_more` is false exactly at the end', async () => {
    const user = await app.user()
    const [content] = await times(12, () => makeContent(user, { tags: ['page'] }))
    const path = `/contents/${content.id}/recommendations`
    const whole: string[] = []
    for (let offset = 0; ; offset += 5) {
      const { feeds, has_more } = dataOf(await app.anon.get(`${path}?limit=5&offset=${offset}`))
      whole.push(...idsOf(feeds))
      if (!has_more) break
      assert.equal(feeds.length, 5)
    }
    assert.equal(new Set(whole).size, whole.length)
    assert.deepEqual(whole.slice(0, 50), await recommended(content.id, '?limit=50'))
    const total = whole.length
    const hasMore = async (offset: number) =>
      dataOf(await app.anon.get(`${path}?limit=1&offset=${offset}`)).has_more
    assert.deepEqual(
      [await hasMore(total - 2), await hasMore(total - 1), await hasMore(total)],
      [true, false, false],
    )
    const far = dataOf(await app.anon.get(`${path}?offset=99999999999999999999`))
    assert.deepEqual(far, { feeds: [], has_more: false })
  })

  test('are cacheable for 30 seconds without a session only', async () => {
    const content = await makeContent(ana)
    const path = `/contents/${content.id}/recommendations`
    const caching = async (who: typeof app.anon) =>
      (await who.get(path)).headers.get('cache-control')
    assert.equal(await caching(app.anon), 'public, max-age=30')
    assert.equal(await caching(ben), 'private, no-store')
  })

  test('clamp limit and offset and reject values that are not numbers', async () => {
    const content = await makeContent(ana)
    const ids = await recommended(content.id, '?limit=50')
    assert.deepEqual(await recommended(content.id, '?limit=0'), ids.slice(0, 1))
    assert.deepEqual(await recommended(content.id, '?limit=51&offset=-1'), ids)
    assert.equal((await recommended(content.id)).length, 8)
    assertInvalid(await app.anon.get(`/contents/${content.id}/recommendations?limit=x`), 'limit')
    const missing = newId('cnt', Date.now())
    const answer = await app.anon.get(`/contents/${missing}/recommendations`)
    assertError(answer, 404, 'CONTENT_NOT_FOUND')
  })
})

test('ranks popular content items by the documented formula', async () => {
  const content = await makeContent(ana)
  for (const fan of [ben, cho]) dataOf(await fan.put(`/contents/${content.id}/like`))
  dataOf(await ben.put(`/contents/${content.id}/bookmark`))
  await makeComment(ben, content.id)
  const scoreOf = async () => {
    return Number(
      await app.value(`select hot_score from content_stats where content_id = '${content.id}'`),
    )
  }
  const expected = (points: number) =>
    Date.parse(content.published_at) / 45_000_000 + Math.log(1 + points)
  assert.ok(Math.abs((await scoreOf()) - expected(2 + 2 + 2)) < 1e-9)
  dataOf(await ben.delete(`/contents/${content.id}/bookmark`))
  assert.ok(Math.abs((await scoreOf()) - expected(2 + 2)) < 1e-9)
})
