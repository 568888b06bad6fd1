import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Anyone, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeContent,
  times,
  valuesOf,
} from '../../test/make.ts'
import { makeModerator } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const moderator = await makeModerator(app, admin)
const [ana, ben] = [await app.user(), await app.user()]

const suspend = async (who: Actor, { id }: Actor, isSuspended = true) =>
  dataOf(await who.patch(`/admin/users/${id}`, { is_suspended: isSuspended }))

const DAY_MS = 24 * 60 * 60 * 1000

async function list(query: string, who: Anyone | Actor = app.anon): Promise<string[]> {
  return valuesOf(dataOf(await who.get(`/tags?${query}`)).tags, 'tag')
}
const urlOf = (tag: string) => `/tags/${encodeURIComponent(tag)}`
const follow = (who: Actor, tag: string) => who.put(`${urlOf(tag)}/follow`)
const countOf = async (tag: string) =>
  dataOf(await app.anon.get(urlOf(tag))).tag.content_count as number

test('lists tags of public content by number of contents or by name, with a prefix', async () => {
  await makeContent(ana, { tags: ['p-한강', 'P-Seoul', 'p-boat'] })
  await makeContent(ana, { tags: ['p-seoul', 'p-boat'], category: 'swipe', type: 'image' })
  await makeContent(ben, { tags: ['P-SEOUL'] })
  await makeContent(ben, { tags: ['p-draft'], publish: false })
  assert.deepEqual(await list('q=p-'), ['p-seoul', 'p-boat', 'p-한강'])
  assert.deepEqual(await list('q=P-&sort=name'), ['p-boat', 'p-seoul', 'p-한강'])
  assert.deepEqual(await list('q=p-s'), ['p-seoul'])
  assert.deepEqual(await list('q=p%25'), [], '% is no wildcard')
  const { tags, pagination } = dataOf(await app.anon.get('/tags?q=p-&per_page=2&page=2'))
  assert.deepEqual(tags, [{ tag: 'p-한강', content_count: 1, is_following: false }])
  assert.equal(pagination.total, 3)
  const past = dataOf(await app.anon.get('/tags?q=p-&page=9'))
  assert.deepEqual([past.tags, past.pagination.total], [[], 3])
  const popular = dataOf(await app.anon.get('/tags'))
  assert.equal(popular.tags[0].tag, 'p-seoul')
  assert.equal(popular.pagination.total, popular.tags.length)
  assertInvalid(await app.anon.get('/tags?sort=latest'), 'sort')
  assertInvalid(await app.anon.get('/tags?q='), 'q')
  assertInvalid(await app.anon.get(`/tags?q=${'x'.repeat(51)}`), 'q')
})

test('counts only public content, also after edits, archiving and suspensions', async () => {
  const author = await app.user()
  const { id } = await makeContent(author, { tags: ['counted', 'first'] })
  const swipe = await makeContent(ana, { tags: ['counted'], category: 'swipe', type: 'image' })
  assert.deepEqual([await countOf('Counted'), await countOf('first')], [2, 1])
  dataOf(await author.patch(`/contents/${id}`, { tags: ['counted', 'second'] }))
  assert.deepEqual([await countOf('first'), await countOf('second')], [0, 1])
  assert.deepEqual(await list('q=first'), [])
  await suspend(admin, author)
  assert.deepEqual([await countOf('counted'), await countOf('second')], [1, 0])
  await suspend(admin, author, false)
  assert.equal(await countOf('counted'), 2)
  dataOf(await ana.delete(`/contents/${swipe.id}`), 204)
  assert.equal(await countOf('counted'), 1)
  assert.deepEqual(await app.drifted(), [])
})

test('returns any text that content can have as a tag, and 422 for others', async () => {
  const none = { tag: 'never used/한', content_count: 0, is_following: false }
  assert.deepEqual(dataOf(await app.anon.get(urlOf('Never used/한'))).tag, none)
  assert.deepEqual(dataOf(await app.anon.get(urlOf('x'.repeat(50)))).tag.tag.length, 50)
  for (const text of ['x'.repeat(51), ' ', 'a\0b', `e${'\u0301'.repeat(40)}`]) {
    for (const request of [
      app.anon.get(urlOf(text)),
      follow(ana, text),
      ana.delete(`${urlOf(text)}/follow`),
      moderator.put(`/admin${urlOf(text)}/hidden`),
      moderator.delete(`/admin${urlOf(text)}/hidden`),
    ])
      assertInvalid(await request, 'tag')
  }
})

test('follows a tag in any spelling, once, and only for the user', async () => {
  const user = await app.user()
  await makeContent(ana, { tags: ['f-tag'] })
  for (const tag of ['F-Tag', 'f-tag'])
    assert.deepEqual(dataOf(await follow(user, tag)), { is_following: true })
  assert.equal(await app.count(`tag_follows where user_id = '${user.id}'`), 1)
  assert.equal(dataOf(await user.get('/tags/f-tag')).tag.is_following, true)
  assert.equal(dataOf(await user.get('/tags?q=f-')).tags[0].is_following, true)
  assert.equal(dataOf(await ben.get('/tags?q=f-')).tags[0].is_following, false)
  assert.equal(dataOf(await app.anon.get('/tags/f-tag')).tag.is_following, false)
  for (let i = 0; i < 2; i++)
    assert.deepEqual(dataOf(await user.delete('/tags/F-TAG/follow')), { is_following: false })
  assert.equal(dataOf(await user.get('/tags/f-tag')).tag.is_following, false)
  assertError(await app.anon.put('/tags/f-tag/follow'), 401, 'UNAUTHORIZED')
  assertError(await app.anon.delete('/tags/f-tag/follow'), 401, 'UNAUTHORIZED')
})

test('limits a user to 500 followed tags, also in parallel requests', async () => {
  const user = await app.user()
  const values = Array.from({ length: 498 }, (_, i) => `('${user.id}', 'l-${i}', 1)`)
  await app.sql(`insert into tag_follows (user_id, tag, created_at) values ${values.join(',')}`)
  const answers = await times(5, (i) => follow(user, `l-new ${i}`))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 409, 409, 409])
  assertError(await follow(user, 'l-more'), 409, 'LIMIT_REACHED')
  dataOf(await follow(user, 'l-0'))
  dataOf(await user.delete('/tags/l-0/follow'))
  dataOf(await follow(user, 'l-more'))
  assert.equal(await app.count(`tag_follows where user_id = '${user.id}'`), 500)
})

test('lists the latest contents with a followed tag, each once', async () => {
  const user = await app.user()
  const read = async (query = '', path = '/feeds') =>
    dataOf(await user.get(`${path}?sort=tags${query}`))
  assert.deepEqual((await read()).feeds, [])
  const made: string[] = []
  for (const tags of [['g-a'], ['g-a', 'g-b'], ['g-b', 'g-c'], ['g-c'], ['g-a', 'g-c']]) {
    made.unshift((await makeContent(ana, { tags })).id)
    app.clock.advance(1000)
  }
  const swipe = await makeContent(ben, { tags: ['g-b'], category: 'swipe', type: 'image' })
  for (const tag of ['g-a', 'G-B']) dataOf(await follow(user, tag))
  const [e, , c, b, a] = made as [string, string, string, string, string]
  const { feeds, pagination } = await read()
  assert.deepEqual(idsOf(feeds), [swipe.id, e, c, b, a])
  assert.equal(pagination.total, 5)
  for (const [page, ids] of [
    [1, [swipe.id, e]],
    [2, [c, b]],
    [3, [a]],
    [4, []],
  ] as const) {
    const part = await read(`&per_page=2&page=${page}`)
    assert.deepEqual([idsOf(part.feeds), part.pagination.total], [ids, 5])
  }
  assert.deepEqual(idsOf((await read('', '/feeds/swipe')).feeds), [swipe.id])
  const hype = await read('', '/feeds/hype')
  assert.deepEqual([idsOf(hype.feeds), hype.pagination.total], [[e, c, b, a], 4])
  const both = await read('&tag=G-C')
  assert.deepEqual([idsOf(both.feeds), both.pagination.total], [[e, c], 2])
  assert.deepEqual((await read('&tag=g-c', '/feeds/swipe')).feeds, [])
  assert.deepEqual(dataOf(await user.get('/feeds?sort=following')).feeds, [])
  dataOf(await user.put(`/creators/${ben.handle}/mute`))
  assert.deepEqual(idsOf((await read()).feeds), [e, c, b, a])
  for (const path of ['/feeds', '/feeds/hype', '/feeds/swipe', '/feeds/jump'])
    assertError(await app.anon.get(`${path}?sort=tags`), 401, 'UNAUTHORIZED')
})

test('keeps a hidden tag out of lists, search and suggestions, but not its page and contents', async () => {
  for (const author of [ana, ben]) await makeContent(author, { tags: ['hideous'] })
  const isListed = async () => {
    const lists = [
      await list('q=hideous'),
      await list('sort=trending&q=hideous'),
      await list('sort=name&q=hideous'),
      valuesOf(dataOf(await app.anon.get('/search?kind=tags&q=hideous')).tags, 'tag'),
      valuesOf(dataOf(await app.anon.get('/search/suggest?q=hideo')).tags, 'tag'),
    ]
    return new Set(lists.map(({ length }) => length))
  }
  assert.deepEqual(await isListed(), new Set([1]))
  const hidden = { tag: 'hideous', is_hidden: true }
  for (let i = 0; i < 2; i++)
    assert.deepEqual(dataOf(await moderator.put('/admin/tags/Hideous/hidden')), hidden)
  assert.deepEqual(await isListed(), new Set([0]))
  assert.equal(await countOf('hideous'), 2)
  await makeContent(ana, { tags: ['hideous'] })
  assert.equal(dataOf(await app.anon.get('/feeds?tag=hideous')).feeds.length, 3)
  assert.deepEqual(await isListed(), new Set([0]))
  for (let i = 0; i < 2; i++)
    assert.deepEqual(dataOf(await admin.delete('/admin/tags/hideous/hidden')), {
      ...hidden,
      is_hidden: false,
    })
  assert.deepEqual(await isListed(), new Set([1]))
  assert.equal(await countOf('hideous'), 3)
  const { audit } = dataOf(await admin.get('/admin/audit?target=hideous'))
  assert.deepEqual(valuesOf(audit, 'action'), ['tag_shown', 'tag_hidden'])
  assert.deepEqual(audit[1].target, { kind: 'tag', id: 'hideous' })
  assert.deepEqual([audit[1].before, audit[1].after], [{ is_hidden: false }, { is_hidden: true }])

  dataOf(await moderator.put('/admin/tags/unused-yet/hidden'))
  await makeContent(ana, { tags: ['unused-yet'] })
  assert.deepEqual(await list('q=unused-yet'), [])
  for (const method of ['put', 'delete'] as const) {
    assertError(await ana[method]('/admin/tags/hideous/hidden'), 403, 'FORBIDDEN')
    assertError(await app.anon[method]('/admin/tags/hideous/hidden'), 401, 'UNAUTHORIZED')
  }
  assert.deepEqual(await app.drifted(), [])
})

test('counts right when contents with the same tags are published and changed in parallel', async () => {
  const authors = await times(4, () => app.user())
  const tags = ['r-a', 'r-b', 'r-c']
  await Promise.all(
    authors.map(async (author, i) => {
      for (let n = 0; n < 3; n++) {
        const { id } = await makeContent(author, {
          tags: i % 2 ? tags : tags.toReversed(),
          ...(i < 2 && { category: 'swipe', type: 'image' }),
        })
        dataOf(await author.patch(`/contents/${id}`, { tags: ['r-b', 'r-d'] }))
        if (n === 0) dataOf(await author.delete(`/contents/${id}`), 204)
      }
    }),
  )
  assert.deepEqual([await countOf('r-a'), await countOf('r-b'), await countOf('r-d')], [0, 8, 8])
  assert.deepEqual(await app.drifted(), [])
})

test('lists as trending the tags of at least two creators in the last 7 days', async () => {
  await makeContent(ana, { tags: ['t-old'] })
  await makeContent(ben, { tags: ['t-old'] })
  await makeContent(ana, { tags: ['t-half', 't-pair'] })
  app.clock.advance(7 * DAY_MS + 1000)
  const [dan, eve, fay] = [await app.user(), await app.user(), await app.user()]
  for (const author of [dan, eve, fay]) await makeContent(author, { tags: ['t-three'] })
  for (const author of [dan, eve]) await makeContent(author, { tags: ['t-pair', 't-also'] })
  await times(4, () => makeContent(dan, { tags: ['t-one'] }))
  await makeContent(eve, { tags: ['t-half'] })
  assert.deepEqual(await list('sort=trending'), ['t-three', 't-pair', 't-also'])
  assert.deepEqual(await list('sort=trending&q=T-P'), ['t-pair'])
  const { tags, pagination } = dataOf(await app.anon.get('/tags?sort=trending&page=2&per_page=2'))
  assert.deepEqual(tags, [{ tag: 't-also', content_count: 2, is_following: false }])
  assert.equal(pagination.total, 3)
  const later = await app.admin()
  for (const user of [eve, fay]) await suspend(later, user)
  assert.deepEqual(await list('sort=trending'), [])
})
