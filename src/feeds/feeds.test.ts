import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Anyone, startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, idsOf, makeContent } from '../../test/make.ts'

const app = await startApp()

const feedOf = async (who: Anyone, path: string): Promise<string[]> =>
  idsOf(dataOf(await who.get(path)).feeds)

/** Publishes an item one second later than the previous one, so that the order is certain. */
async function publish(creator: Actor, over: Record<string, unknown> = {}): Promise<string> {
  app.clock.advance(1000)
  return (await makeContent(creator, over)).id
}

let tags = 0
const newTag = () => `tag${++tags}`

describe('a feed', () => {
  test('lists public content, newest first, without drafts and archived ones', async () => {
    const mina = await app.user()
    const tag = newTag()
    const first = await publish(mina, { tags: [tag] })
    await publish(mina, { tags: [tag], publish: false })
    const gone = await publish(mina, { tags: [tag] })
    dataOf(await mina.delete(`/contents/${gone}`), 204)
    const last = await publish(mina, { tags: [tag] })
    for (const who of [app.anon, mina]) {
      assert.deepEqual(await feedOf(who, `/feeds?tag=${tag}`), [last, first])
      assert.deepEqual((await feedOf(who, '/feeds')).slice(0, 2), [last, first])
    }
  })

  test('sorts by popularity; hot and recent are aliases', async () => {
    const [mina, jisoo] = [await app.user(), await app.user()]
    const tag = newTag()
    const liked = await publish(mina, { tags: [tag] })
    const plain = await publish(mina, { tags: [tag] })
    dataOf(await jisoo.put(`/contents/${liked}/like`))
    for (const sort of ['popular', 'hot']) {
      assert.deepEqual(await feedOf(app.anon, `/feeds?tag=${tag}&sort=${sort}`), [liked, plain])
      assert.equal((await feedOf(app.anon, `/feeds?sort=${sort}`))[0], liked)
      assert.equal((await feedOf(app.anon, `/feeds/hype?sort=${sort}`))[0], liked)
    }
    for (const sort of ['latest', 'recent']) {
      assert.deepEqual(await feedOf(app.anon, `/feeds?tag=${tag}&sort=${sort}`), [plain, liked])
    }
  })

  test('finds a tag in any case, but only the whole tag', async () => {
    const mina = await app.user()
    const tag = `${newTag()}_한강`
    const id = await publish(mina, { tags: [tag.toUpperCase()] })
    const found = (text: string) => feedOf(app.anon, `/feeds?tag=${encodeURIComponent(text)}`)
    assert.deepEqual(await found(tag), [id])
    assert.deepEqual(await found(tag.toUpperCase().normalize('NFD')), [id])
    assert.deepEqual(await found(` ${tag} `), [id])
    for (const wrongTag of [tag.slice(1), `${tag}x`, '%', '_'.repeat(tag.length)]) {
      assert.deepEqual(await found(wrongTag), [], wrongTag)
    }
  })

  test("shows the viewer's flags and is cacheable only by the viewer", async () => {
    const [mina, jisoo] = [await app.user(), await app.user()]
    const tag = newTag()
    const id = await publish(mina, { tags: [tag] })
    dataOf(await jisoo.put(`/contents/${id}/like`))
    dataOf(await jisoo.put(`/contents/${id}/bookmark`))
    const path = `/feeds?tag=${tag}`
    const flags = async (who: Anyone) => {
      const [content] = dataOf(await who.get(path)).feeds
      return [content.is_liked, content.is_bookmarked]
    }
    assert.deepEqual(await flags(jisoo), [true, true])
    assert.deepEqual(await flags(mina), [false, false])
    assert.deepEqual(await flags(app.anon), [false, false])
    const { headers } = await jisoo.get(path)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('etag'), null)
  })

  test('is empty past the end, with the correct total', async () => {
    const mina = await app.user()
    const tag = newTag()
    for (let i = 0; i < 3; i++) await publish(mina, { tags: [tag] })
    const page = async (query: string) => dataOf(await app.anon.get(`/feeds?tag=${tag}&${query}`))
    assert.deepEqual((await page('per_page=2&page=2')).pagination, {
      page: 2,
      per_page: 2,
      total: 3,
      total_pages: 2,
      has_next: false,
      has_prev: true,
    })
    for (const past of ['2', '1000000000', '99999999999999999999']) {
      const { feeds, pagination } = await page(`page=${past}`)
      assert.deepEqual([feeds, pagination.total, pagination.has_next], [[], 3, false], past)
    }
    const { feeds, pagination } = dataOf(await app.anon.get(`/feeds?tag=${newTag()}&page=7`))
    assert.deepEqual([feeds, pagination.total, pagination.total_pages], [[], 0, 0])
  })

  test('rejects an unknown sort, empty fields and repeated fields', async () => {
    for (const sort of ['LATEST', 'constructor', 'random']) {
      assertInvalid(await app.anon.get(`/feeds?sort=${sort}`), 'sort')
    }
    assertInvalid(await app.anon.get('/feeds?tag='), 'tag')
    assertInvalid(await app.anon.get('/feeds?tag=a&tag=b'), 'tag')
    assertInvalid(await app.anon.get('/feeds?tag=a%00'), 'tag')
    // Invalid UTF-8 (a surrogate, a single byte, and a truncated sequence after valid text), and invalid percent
    // signs.
    for (const tag of ['%ED%A0%80', '%ff', '%', '%EA%B0%80%E0%A4', 'a%zz']) {
      assertInvalid(await app.anon.get(`/feeds?tag=${tag}&page=1`), 'tag')
      assert.equal((await app.anon.get(`/feeds?nothing=${tag}&${tag}=1`)).status, 200)
    }
    assert.equal((await app.anon.get('/feeds?tag=%EA%B0%80+%f0%9f%8e%ac')).status, 200)
    assertInvalid(await app.anon.get('/feeds?page=1.5'), 'page')
    assertError(await app.anon.get('/feeds/constructor'), 404, 'ROUTE_NOT_FOUND')
  })
})

describe('the feed of followed creators', () => {
  test('requires a session in every category, which it checks before the rest of the query', async () => {
    const someone = await app.user()
    const bad = { headers: { authorization: 'Bearer junk' } }
    const wrong = 'page=x'
    for (const path of ['/feeds', '/feeds/hype', '/feeds/swipe', '/feeds/jump']) {
      for (const sort of ['following', '%20following%20']) {
        const query = `${path}?${wrong}&sort=${sort}`
        assertError(await app.anon.get(query), 401, 'UNAUTHORIZED')
        const answer = await app.anon.get(query, bad)
        assertError(answer, 401, 'UNAUTHORIZED')
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
        assertInvalid(await someone.get(query), 'page')
      }
      assertInvalid(await app.anon.get(`${path}?${wrong}&sort=latest`), 'page')
      assertInvalid(await app.anon.get(`${path}?${wrong}`), 'page')
      const twice = await app.anon.get(`${path}?sort=following&sort=following`)
      assertInvalid(twice, 'sort')
    }
  })

  test('contains only their content items and changes with each follow', async () => {
    const [mina, jisoo, sora] = [await app.user(), await app.user(), await app.user()]
    const viewer = await app.user()
    const old = await publish(mina)
    const swipe = await publish(jisoo, { category: 'swipe' })
    await publish(sora)
    const own = await publish(viewer)
    const recent = await publish(mina)
    const following = (path = '/feeds') => feedOf(viewer, `${path}?sort=following`)
    assert.deepEqual(await following(), [])
    dataOf(await viewer.put(`/creators/${mina.handle}/follow`))
    assert.deepEqual(await following(), [recent, old])
    dataOf(await viewer.put(`/creators/${jisoo.handle}/follow`))
    assert.deepEqual(await following(), [recent, swipe, old])
    assert.deepEqual(await following('/feeds/swipe'), [swipe])
    dataOf(await viewer.delete(`/creators/${mina.handle}/follow`))
    assert.deepEqual(await following(), [swipe])
    assert.ok(!(await following()).includes(own))
  })
})

test("hides a suspended user's content items from every list and restores them afterwards", async () => {
  const [admin, mina, jisoo, viewer] = [
    await app.admin(),
    await app.user(),
    await app.user(),
    await app.user(),
  ]
  const tag = newTag()
  const hidden = await publish(mina, { tags: [tag] })
  const stays = await publish(jisoo, { tags: [tag] })
  for (const creator of [mina, jisoo])
    dataOf(await viewer.put(`/creators/${creator.handle}/follow`))
  for (const id of [hidden, stays]) {
    dataOf(await viewer.put(`/contents/${id}/like`))
    dataOf(await viewer.put(`/contents/${id}/bookmark`))
  }
  const paths = [
    `/feeds?tag=${tag}`,
    `/feeds/hype?tag=${tag}`,
    `/feeds?tag=${tag}&sort=popular`,
    '/feeds?sort=following',
    '/feeds/hype?sort=following',
    `/feeds?sort=following&tag=${tag}`,
    '/users/me/likes',
    '/users/me/bookmarks',
  ]
  const whole = ['/feeds', '/feeds/hype', '/feeds?sort=popular']
  const totalOf = async (path: string) => dataOf(await viewer.get(path)).pagination.total
  const totals = await Promise.all(whole.map(totalOf))

  dataOf(await admin.patch(`/admin/users/${mina.id}`, { is_suspended: true }))
  for (const path of paths) {
    const { feeds, pagination } = dataOf(await viewer.get(path))
    assert.deepEqual([idsOf(feeds), pagination.total], [[stays], 1], path)
  }
  for (const [index, path] of whole.entries()) {
    assert.ok(!(await feedOf(viewer, path)).includes(hidden), path)
    assert.equal(await totalOf(path), totals[index] - 1, path)
  }

  dataOf(await admin.patch(`/admin/users/${mina.id}`, { is_suspended: false }))
  for (const path of paths) {
    const { feeds, pagination } = dataOf(await viewer.get(path))
    assert.deepEqual([idsOf(feeds).sort(), pagination.total], [[hidden, stays].sort(), 2], path)
  }
  assert.deepEqual(await Promise.all(whole.map(totalOf)), totals)
})
