import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeComment,
  makeContent,
  makeKey,
  makeLegacyKey,
  program,
  times,
} from '../../test/make.ts'
import { makeModuleGame } from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const DAY = 86_400_000
// Access tokens must stay valid while the tests advance the clock by days.
const app = await startApp({ ACCESS_TOKEN_TTL: String(365 * 86_400), RATE_LIMITS: 'off' })
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]

const today = () => new Date(app.clock.now()).toISOString().slice(0, 10)
const before = (days: number) => new Date(app.clock.now() - days * DAY).toISOString().slice(0, 10)
const MINUTE = 60_000
const moveBeforeMidnight = () => app.clock.advance(DAY - (app.clock.now() % DAY) - MINUTE)

const statsOf = async (id: string, query = '', user: Pick<Actor, 'get'> = ana) =>
  dataOf(await user.get(`/contents/${id}/stats${query}`)).stats
const ownStats = async (user: Actor, query = '') => dataOf(await user.get(`/stats${query}`)).stats
const ZERO = { views: 0, plays: 0, likes: 0, comments: 0, follows: 0 }
const numbers = (over: Loose = {}) => ({ ...ZERO, ...over })
const follow = (user: Actor, creator: Actor, content_id?: string) =>
  user.put(`/creators/${creator.handle}/follow${content_id ? `?content_id=${content_id}` : ''}`)

/** Requires that the sums of all days equal the counts of the contents and their creator. */
async function assertSums(creator: Actor, ids: string[]): Promise<void> {
  await app.deps.views.flush()
  const wholeRange = `?from=${before(300)}`
  const sums: Loose = numbers()
  for (const id of ids) {
    const { content } = dataOf(await creator.get(`/contents/${id}`))
    const { totals, days, undated } = await statsOf(id, wholeRange, creator)
    for (const name of Object.keys(sums)) {
      const sum = days.reduce((total: number, day: Loose) => total + day[name], 0)
      assert.equal(sum, totals[name], name)
      if (name !== 'follows') sums[name] += sum
    }
    assert.deepEqual(
      [totals.views + undated.views, totals.plays, totals.likes, totals.comments],
      [content.view_count, content.play_count, content.like_count, content.comment_count],
    )
  }
  const { creator: profile } = dataOf(await app.anon.get(`/creators/${creator.handle}`))
  const { totals } = await ownStats(creator, wholeRange)
  assert.deepEqual(totals, { ...sums, follows: profile.follower_count })
  assert.deepEqual(await app.drifted(), [])
}

describe('the numbers of a day', () => {
  test('count views, plays, likes, comments and follows, and leave with their rows', async () => {
    const creator = await app.user()
    const game = await makeModuleGame(creator)
    const content = await makeContent(creator)
    dataOf(await ben.get(`/contents/${content.id}`))
    dataOf(await ben.get(`/contents/${game.id}`))
    dataOf(await ben.post(`/jump/games/${game.id}/play`, { id: game.id }))
    dataOf(await ben.put(`/contents/${content.id}/like`))
    const comment = await makeComment(ben, content.id)
    dataOf(await follow(ben, creator, content.id))
    dataOf(await follow(cho, creator))
    await app.deps.views.flush()
    const { content_id, totals, days, undated } = await statsOf(content.id, '', creator)
    const everyCount = { views: 1, likes: 1, comments: 1, follows: 1 }
    assert.deepEqual([content_id, totals, undated], [content.id, numbers(everyCount), { views: 0 }])
    assert.equal(days.length, 28)
    assert.deepEqual(days.at(-1), { date: today(), ...numbers(everyCount) })
    assert.deepEqual(days[0], { date: before(27), ...numbers() })
    const own = await ownStats(creator)
    assert.ok(!('content_id' in own))
    const sums = { views: 2, plays: 1, likes: 1, comments: 1, follows: 2 }
    assert.deepEqual([own.totals, own.days.at(-1)], [sums, { date: today(), ...sums }])
    dataOf(await ben.delete(`/contents/${content.id}/like`))
    dataOf(await ben.delete(`/comments/${comment.id}`), 204)
    dataOf(await ben.delete(`/creators/${creator.handle}/follow`))
    assert.deepEqual((await statsOf(content.id, '', creator)).totals, numbers({ views: 1 }))
    assert.deepEqual((await ownStats(creator)).totals, {
      ...numbers(),
      views: 2,
      plays: 1,
      follows: 1,
    })
    await assertSums(creator, [content.id, game.id])
  })

  test('stay on the day of the act when it is undone after midnight', async () => {
    const content = await makeContent(ana)
    moveBeforeMidnight()
    const first = today()
    dataOf(await ben.put(`/contents/${content.id}/like`))
    const comment = await makeComment(ben, content.id)
    app.clock.advance(MINUTE)
    dataOf(await cho.put(`/contents/${content.id}/like`))
    const likes = async () =>
      (await statsOf(content.id)).days
        .slice(-2)
        .map((day: Loose) => [day.date, day.likes, day.comments])
    assert.deepEqual(await likes(), [
      [first, 1, 1],
      [today(), 1, 0],
    ])
    dataOf(await ben.delete(`/contents/${content.id}/like`))
    dataOf(await ana.put(`/comments/${comment.id}/hidden`))
    assert.deepEqual(await likes(), [
      [first, 0, 0],
      [today(), 1, 0],
    ])
    dataOf(await ana.delete(`/comments/${comment.id}/hidden`))
    dataOf(await ben.put(`/contents/${content.id}/like`))
    assert.deepEqual(await likes(), [
      [first, 0, 1],
      [today(), 2, 0],
    ])
  })

  test('add up to the counts beside likes and unlikes around midnight', async () => {
    const creator = await app.user()
    const content = await makeContent(creator)
    moveBeforeMidnight()
    await times(24, async (index) => {
      if (index % 3 === 0) app.clock.advance(MINUTE / 4)
      const path = `/contents/${content.id}/like`
      const user = [ana, ben, cho][index % 3] as Actor
      dataOf(await (index % 2 ? user.post(path) : user.put(path)))
      dataOf(await user.delete(path))
      dataOf(await user.put(path))
    })
    assert.equal(await app.count(`likes where content_id = '${content.id}'`), 3)
    await assertSums(creator, [content.id])
  })

  test('name the day of each view in a batch', async () => {
    const content = await makeContent(ana)
    moveBeforeMidnight()
    dataOf(await ben.get(`/contents/${content.id}`))
    app.clock.advance(MINUTE)
    dataOf(await ben.get(`/contents/${content.id}`))
    dataOf(await cho.get(`/contents/${content.id}`))
    await app.deps.views.flush()
    const days = (await statsOf(content.id)).days.slice(-2)
    assert.deepEqual(
      days.map(({ views }: Loose) => views),
      [1, 2],
    )
  })
})

test('counts a follow for content only when it is public content of the followed creator', async () => {
  const [creator, elsewhere] = [await app.user(), await makeContent(ana)]
  const [content, draft] = [
    await makeContent(creator),
    await makeContent(creator, { publish: false }),
  ]
  for (const id of [elsewhere.id, draft.id, 'cnt_x', 'x']) {
    dataOf(await follow(ben, creator, id))
    dataOf(await ben.delete(`/creators/${creator.handle}/follow`))
    dataOf(await follow(ben, creator, id))
    assert.equal(await app.count(`follows where content_id = '${id}'`), 0, id)
  }
  // Ben already follows the creator, so this request does not attribute his follow to the content.
  dataOf(await follow(ben, creator, content.id))
  const path = `/creators/${creator.handle}/follow?content_id=${content.id}`
  dataOf(await cho.post(path))
  assert.equal((await statsOf(content.id, '', creator)).totals.follows, 1)
  assert.equal((await ownStats(creator)).totals.follows, 2)
  dataOf(await creator.put(`/creators/${cho.handle}/block`))
  assert.equal((await statsOf(content.id, '', creator)).totals.follows, 0)
  await assertSums(creator, [content.id])
})

test('returns the days as CSV to clients that prefer it, and errors as JSON', async () => {
  const content = await makeContent(ana)
  dataOf(await ben.put(`/contents/${content.id}/like`))
  const csv = { headers: { accept: 'text/csv' } }
  const path = `/contents/${content.id}/stats`
  const query = `?from=${before(1)}`
  const { status, text, headers } = await ana.get(path + query, csv)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(headers.get('vary') ?? '', /\bAccept\b(?!-)/)
  const lines = ['date,views,plays,likes,comments,follows', `${before(1)},0,0,0,0,0`]
  assert.equal(text, [...lines, `${today()},0,0,1,0,0`, ''].join('\r\n'))
  const own = await ana.get('/stats', csv)
  assert.equal(own.text.split('\r\n').length, 30)
  for (const accept of ['*/*', 'application/json, text/csv;q=0.5', 'text/csv;q=0']) {
    assert.ok(dataOf(await ana.get(path, { headers: { accept } })).stats)
  }
  assertInvalid(await ana.get(`${path}?from=x`, csv), 'from')
  assertError(await ben.get(path, csv), 403, 'NOT_CONTENT_AUTHOR')
})

test('is for the author, and for keys of the author with `contents:read`', async () => {
  const [content, draft] = [await makeContent(ana), await makeContent(ana, { publish: false })]
  assertError(await ben.get(`/contents/${content.id}/stats`), 403, 'NOT_CONTENT_AUTHOR')
  assertError(await ben.get(`/contents/${draft.id}/stats`), 404, 'CONTENT_NOT_FOUND')
  assertError(await app.anon.get('/stats'), 401, 'UNAUTHORIZED')
  dataOf(await ana.delete(`/contents/${content.id}`), 204)
  assert.equal((await statsOf(content.id)).content_id, content.id)
  const scopes = ['contents:read', 'contents:write']
  const { id } = await makeApp(ana, { scopes })
  const key = async (granted: string[]) =>
    program(app, (await makeKey(ana, id, { scopes: granted })).raw_key)
  const reader = await key(['contents:read'])
  assert.equal((await statsOf(draft.id, '', reader)).content_id, draft.id)
  assert.deepEqual(dataOf(await reader.get('/stats')).stats, await ownStats(ana))
  const legacy = program(app, (await makeLegacyKey(ana)).raw_key)
  for (const client of [await key(['contents:write']), legacy]) {
    for (const path of ['/stats', '/stats?from=x', `/contents/${draft.id}/stats`]) {
      assertError(await client.get(path), 403, 'INSUFFICIENT_SCOPE')
    }
  }
})

test('lists the ten most viewed contents of the range', async () => {
  const creator = await app.user()
  const contents = await times(11, () => makeContent(creator))
  await times(11, async (index) => {
    for (const user of index < 2 ? [ben] : index === 5 ? [ben, cho, ana] : [ben, cho]) {
      dataOf(await user.get(`/contents/${contents[index].id}`))
    }
  })
  await app.deps.views.flush()
  const { top } = await ownStats(creator)
  const { id, title } = contents[5]
  assert.deepEqual(top[0], { content_id: id, title, thumbnail_url: null, views: 3 })
  assert.deepEqual(
    top.map(({ views }: Loose) => views),
    [3, ...Array(8).fill(2), 1],
  )
  dataOf(await creator.patch(`/contents/${id}`, { rating: 'adult' }))
  dataOf(await creator.patch('/auth/me', { content_filter: { adult: 'hide', flashing: 'blur' } }))
  assert.equal((await ownStats(creator)).top[0].content_id, id, 'also own adult content')
  app.clock.advance(DAY)
  assert.deepEqual((await ownStats(creator, `?from=${today()}`)).top, [])
})

test('keeps sums equal to counts through hiding, decisions, archiving, restoring and erasure', async () => {
  const [creator, admin] = [await app.user(), await app.admin()]
  const contents = await times(2, () => makeContent(creator))
  const [kept, erased] = contents.map(({ id }) => id) as [string, string]
  const comments: string[] = []
  for (const id of [kept, erased]) {
    for (const user of [ben, cho]) {
      dataOf(await user.get(`/contents/${id}`))
      dataOf(await user.put(`/contents/${id}/like`))
      comments.push((await makeComment(user, id)).id)
    }
    app.clock.advance(DAY)
  }
  dataOf(await follow(ben, creator, erased))
  const decision = await makeDecision(admin, 'hide', 'comment', comments[0] as string)
  dataOf(await creator.put(`/comments/${comments[1]}/hidden`))
  await assertSums(creator, [kept, erased])
  dataOf(await undo(admin, decision))
  dataOf(await creator.delete(`/contents/${kept}`), 204)
  dataOf(await creator.post(`/contents/${kept}/restore`))
  dataOf(await creator.delete(`/contents/${erased}`), 204)
  await assertSums(creator, [kept, erased])
  const total = (await ownStats(creator)).totals
  dataOf(await creator.post(`/contents/${erased}/erasure`), 202)
  const left = (await ownStats(creator)).totals
  assert.deepEqual([total.likes, left.likes, left.follows], [4, 2, 1])
  const erasing = `contents where id = '${erased}'`
  await until(async () => (await app.count(erasing)) === 0, 'the erasure')
  assert.equal(await app.count(`content_days where content_id = '${erased}'`), 0)
  assert.equal(await app.count(`follows where content_id = '${erased}'`), 0)
  await assertSums(creator, [kept])
})

test('keeps sums equal to counts after random acts', async () => {
  const creator = await app.user()
  const users = await times(3, () => app.user())
  const ids = [(await makeContent(creator)).id, (await makeContent(creator)).id]
  const comments: { id: string; user: Actor }[] = []
  let state = 7
  const random = (n: number) => (state = (state * 48_271) % 2_147_483_647) % n
  for (let step = 0; step < 150; step++) {
    const user = users[random(3)] as Actor
    const id = ids[random(2)] as string
    const comment = comments[random(Math.max(1, comments.length))]
    const acts = [
      () => user.post(`/contents/${id}/like`),
      () => user.post(`/creators/${creator.handle}/follow?content_id=${id}`),
      () => user.get(`/contents/${id}`),
      async () => comments.push({ id: (await makeComment(user, id)).id, user }),
      async () => comment && comment.user.delete(`/comments/${comment.id}`),
      async () => comment && creator.put(`/comments/${comment.id}/hidden`),
      async () => comment && creator.delete(`/comments/${comment.id}/hidden`),
      async () => app.clock.advance(random(2 * DAY)),
    ]
    await acts[random(acts.length)]?.()
  }
  await assertSums(creator, ids)
})
