import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, idsOf, makeContent } from '../../test/make.ts'
import { makeDecision } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const [ana, ben] = [await app.user(), await app.user()]
dataOf(await ben.put(`/creators/${ana.handle}/follow`))

const tags = ['filtered']
const mild = await makeContent(ana, { tags, rating: 'teen', warnings: ['flashing'] })
const adult = await makeContent(ana, { tags, rating: 'adult' })
const game = { category: 'jump', type: 'game', tags }
const [mildGame, adultGame] = [
  await makeContent(ana, game),
  await makeContent(ana, { ...game, rating: 'adult' }),
]
for (const { id } of [mild, adult]) dataOf(await admin.put(`/admin/picks/${id}`))

const accountOf = async (actor: Actor) => dataOf(await actor.get('/auth/me')).user
const choose = async (actor: Actor, content_filter: object) =>
  dataOf(await actor.patch('/auth/me', { content_filter })).user.content_filter

/** Returns the distinct ids of all content in the lists to which content filters apply. */
async function listed(actor: typeof app.anon, sorts = ['latest', 'popular']): Promise<Set<string>> {
  const ids: string[] = []
  for (const sort of sorts) {
    for (const query of [`sort=${sort}`, `sort=${sort}&tag=filtered`]) {
      const { feeds, pagination } = dataOf(await actor.get(`/feeds?${query}`))
      assert.equal(pagination.total, 4, 'the total is that of public content')
      ids.push(...idsOf(feeds), ...idsOf(dataOf(await actor.get(`/feeds/jump?${query}`)).feeds))
    }
  }
  ids.push(...idsOf(dataOf(await actor.get('/jump/games')).games))
  const shelves = dataOf(await actor.get(`/jump/games/${mildGame.id}?include=related,popular`))
  ids.push(...idsOf(shelves.related), ...idsOf(shelves.popular))
  ids.push(...idsOf(dataOf(await actor.get(`/contents/${mild.id}/recommendations`)).feeds))
  ids.push(...idsOf(dataOf(await actor.get('/search?q=filtered')).feeds))
  const { picks } = dataOf(await actor.get('/picks'))
  ids.push(...picks.map(({ content }: { content: { id: string } }) => content.id))
  return new Set(ids)
}
const hidesAdult = async (actor: typeof app.anon, sorts?: string[]) => {
  const ids = await listed(actor, sorts)
  for (const { id } of [mild, mildGame]) assert.ok(ids.has(id))
  assert.equal(ids.has(adult.id), ids.has(adultGame.id))
  return !ids.has(adult.id)
}

test('an account blurs adult and flashing content, and search engines may index it, by default', async () => {
  const account = await accountOf(ben)
  assert.deepEqual(account.content_filter, { adult: 'blur', flashing: 'blur' })
  assert.equal(account.is_indexed, true)
  const wanted = { adult: 'show', flashing: 'show' }
  assert.deepEqual(await choose(ben, wanted), wanted)
  assert.deepEqual(await choose(ben, { adult: 'blur' }), { adult: 'blur', flashing: 'show' })
  assert.equal(dataOf(await ben.patch('/auth/me', { is_indexed: false })).user.is_indexed, false)
  assert.deepEqual((await accountOf(ben)).content_filter, { adult: 'blur', flashing: 'show' })
  assert.equal((await accountOf(ben)).is_indexed, false)
  assert.equal((await accountOf(ana)).is_indexed, true, 'the other account did not change')
})

test('unknown values of the filter are rejected with their field', async () => {
  for (const [field, body] of [
    ['content_filter.adult', { content_filter: { adult: 'never' } }],
    ['content_filter.flashing', { content_filter: { flashing: 'hide' } }],
    ['content_filter', { content_filter: 'hide' }],
    ['content_filter', { content_filter: null }],
    ['is_indexed', { is_indexed: 'no' }],
  ] as const) {
    assertInvalid(await ben.patch('/auth/me', body), field)
  }
})

test('`hide` leaves adult content out of lists, but not out of its own address or own lists', async () => {
  const sorts = ['latest', 'popular', 'following']
  await choose(ben, { adult: 'blur' })
  assert.equal(await hidesAdult(ben, sorts), false)
  dataOf(await ben.put(`/contents/${adult.id}/like`))
  await choose(ben, { adult: 'hide' })
  assert.equal(await hidesAdult(ben, sorts), true)
  assert.equal(dataOf(await ben.get(`/contents/${adult.id}`)).content.rating, 'adult')
  assert.deepEqual(idsOf(dataOf(await ben.get('/users/me/likes')).feeds), [adult.id])
  const page = dataOf(await ben.get(`/creators/${ana.handle}/contents`))
  assert.equal(page.feeds.length, 4)
  assert.equal(await hidesAdult(app.anon), false)
  await choose(ben, { adult: 'show' })
  assert.equal(await hidesAdult(ben, sorts), false)
})

test("the site's default applies without a session, and never over the choice of a user", async () => {
  const decide = async (adult_default: string) => {
    const { revision } = dataOf(await admin.get('/admin/site'))
    dataOf(await admin.patch('/admin/site', { revision, adult_default }))
  }
  await decide('hide')
  assert.equal(await hidesAdult(app.anon), true)
  await choose(ben, { adult: 'show' })
  assert.equal(await hidesAdult(ben), false)
  const site = { name: '"adult_default":"hide"', adult_default: 'blur' }
  const { revision } = dataOf(await admin.get('/admin/site'))
  dataOf(await admin.patch('/admin/site', { revision, ...site }))
  assert.equal(await hidesAdult(app.anon), false)
})

test('a rating that changes takes effect on the next request', async () => {
  await choose(ben, { adult: 'hide' })
  dataOf(await ana.patch(`/contents/${adult.id}`, { rating: 'teen' }))
  dataOf(await ana.patch(`/contents/${adultGame.id}`, { rating: 'everyone' }))
  assert.equal(await hidesAdult(ben), false)
  for (const { id } of [adult, adultGame]) {
    await makeDecision(admin, 'rate', 'content', id, { rating: 'adult' })
  }
  assert.equal(await hidesAdult(ben), true)
})
