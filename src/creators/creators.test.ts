import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, type Anyone, startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, idsOf, makeContent } from '../../test/make.ts'
import { examineDatabase } from '../doctor/examine.ts'

const app = await startApp()

const profileOf = async (who: Anyone, handle: string) =>
  dataOf(await who.get(`/creators/${handle}`)).creator

/** Advances the clock by a second before the follow, so that the order of follows is certain. */
async function follow(follower: Actor, creator: Actor): Promise<void> {
  app.clock.advance(1000)
  dataOf(await follower.put(`/creators/${creator.handle}/follow`))
}

describe('a profile', () => {
  test('shows only the public fields of a user', async () => {
    const mina = await app.user({ display_name: '미나' })
    dataOf(await mina.patch('/auth/me', { bio: 'Films of cities at night.' }))
    const answer = await app.anon.get(`/creators/${mina.handle}`)
    const { creator } = dataOf(answer)
    assert.match(creator.created_at, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(
      { ...creator, created_at: '' },
      {
        id: mina.id,
        handle: mina.handle,
        display_name: '미나',
        avatar_url: null,
        avatar_sizes: [],
        bio: 'Films of cities at night.',
        is_following: false,
        is_blocked: false,
        is_muted: false,
        follower_count: 0,
        following_count: 0,
        content_count: 0,
        created_at: '',
      },
    )
    assert.ok(!answer.text.includes(mina.email))
  })

  test("changes with each follow, and is_following is the viewer's own", async () => {
    const [mina, jisoo, sora] = [await app.user(), await app.user(), await app.user()]
    await follow(jisoo, mina)
    const counts = async (who: Actor | typeof app.anon) => {
      const { is_following, follower_count } = await profileOf(who, mina.handle)
      return [is_following, follower_count]
    }
    assert.deepEqual(await counts(jisoo), [true, 1])
    assert.deepEqual(await counts(sora), [false, 1])
    assert.deepEqual(await counts(app.anon), [false, 1])
    assert.equal((await profileOf(mina, jisoo.handle)).following_count, 1)
    dataOf(await jisoo.delete(`/creators/${mina.handle}/follow`))
    assert.deepEqual(await counts(jisoo), [false, 0])
    assert.equal((await profileOf(mina, jisoo.handle)).following_count, 0)
  })
})

test('ignores the case of a handle in a path and returns 404 for an invalid handle', async () => {
  const mina = await app.user({ handle: 'mina_kim' })
  const parts = ['', '/contents', '/contents?type=image', '/posts', '/followers', '/following']
  for (const part of parts) {
    dataOf(await app.anon.get(`/creators/MINA_Kim${part}`))
    for (const handle of [
      'nobody_here',
      'mina_%E2%84%AAim',
      'mina_kim%20',
      '%00',
      "'--",
      '__proto__',
    ]) {
      assertError(await app.anon.get(`/creators/${handle}${part}`), 404, 'CREATOR_NOT_FOUND')
    }
  }
  assert.equal((await profileOf(app.anon, 'MINA_KIM')).id, mina.id)
})

test('lists only public content of a creator, newest first, even for the creator', async () => {
  const [mina, jisoo] = [await app.user(), await app.user()]
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    app.clock.advance(1000)
    ids.unshift((await makeContent(mina)).id)
  }
  await makeContent(mina, { publish: false })
  await makeContent(jisoo)
  dataOf(await jisoo.put(`/contents/${ids[0]}/like`))
  for (const who of [app.anon, mina, jisoo]) {
    const { feeds, pagination } = dataOf(await who.get(`/creators/${mina.handle}/contents`))
    assert.deepEqual([idsOf(feeds), pagination.total], [ids, 3])
    assert.equal(feeds[0].is_liked, who === jisoo)
  }
  const second = dataOf(await app.anon.get(`/creators/${mina.handle}/contents?per_page=2&page=2`))
  assert.deepEqual([idsOf(second.feeds), second.pagination.has_next], [[ids[2]], false])
  const past = dataOf(await app.anon.get(`/creators/${mina.handle}/contents?page=1000000000`))
  assert.deepEqual([past.feeds, past.pagination.total], [[], 3])
  for (const field of ['category', 'type', 'sort']) {
    assertInvalid(await app.anon.get(`/creators/${mina.handle}/contents?${field}=hot`), field)
  }
})

test('sets is_following for the viewer in user lists, and false without a session', async () => {
  const [star, fan, secondFan] = [await app.user(), await app.user(), await app.user()]
  for (const user of [fan, secondFan]) await user.put(`/creators/${star.handle}/follow`)
  await star.put(`/creators/${fan.handle}/follow`)
  const followedBy = async (caller: { get: typeof app.anon.get }) => {
    const { users } = dataOf(await caller.get(`/creators/${star.handle}/followers`))
    assert.equal(users.length, 2)
    return idsOf(users.filter((user: { is_following: boolean }) => user.is_following))
  }
  assert.deepEqual(await followedBy(star), [fan.id])
  assert.deepEqual(await followedBy(fan), [])
  assert.deepEqual(await followedBy(app.anon), [])
})

test('pages followers and followed creators, the newest follow first', async () => {
  const star = await app.user()
  const fans = [await app.user(), await app.user(), await app.user()]
  for (const fan of fans) await follow(fan, star)
  for (const fan of fans) await follow(star, fan)
  const newestFirst = idsOf(fans).reverse()
  for (const side of ['followers', 'following']) {
    const path = `/creators/${star.handle}/${side}`
    const { users, pagination } = dataOf(await app.anon.get(path))
    assert.deepEqual([idsOf(users), pagination.total], [newestFirst, 3], side)
    assert.deepEqual(Object.keys(users[0]), [
      'id',
      'handle',
      'display_name',
      'avatar_url',
      'avatar_sizes',
      'is_following',
    ])
    const walked: string[] = []
    for (let page = 1; page <= 3; page++) {
      walked.push(...idsOf(dataOf(await app.anon.get(`${path}?per_page=1&page=${page}`)).users))
    }
    assert.deepEqual(walked, newestFirst, side)
    const past = dataOf(await app.anon.get(`${path}?page=2`))
    assert.deepEqual([past.users, past.pagination.total], [[], 3], side)
  }
  await follow(fans[0] as Actor, star)
  assert.deepEqual(
    idsOf(dataOf(await app.anon.get(`/creators/${star.handle}/followers`)).users),
    newestFirst,
  )
})

test("hides a suspended user's profile and removes the user from all lists and totals", async () => {
  const [admin, star, fan, gone] = [
    await app.admin(),
    await app.user(),
    await app.user(),
    await app.user(),
  ]
  for (const [from, to] of [
    [fan, star],
    [gone, star],
    [star, fan],
    [star, gone],
  ] as const) {
    await follow(from, to)
  }
  const content = await makeContent(gone)
  const listed = async (side: string) => {
    const { users, pagination } = dataOf(await app.anon.get(`/creators/${star.handle}/${side}`))
    return [idsOf(users), pagination.total]
  }
  const parts = ['', '/contents', '/contents?category=hype', '/posts', '/followers', '/following']
  const paths = parts.map((part) => `/creators/${gone.handle}${part}`)

  dataOf(await admin.patch(`/admin/users/${gone.id}`, { is_suspended: true }))
  for (const side of ['followers', 'following']) {
    assert.deepEqual(await listed(side), [[fan.id], 1], side)
  }
  const during = await profileOf(app.anon, star.handle)
  assert.deepEqual([during.follower_count, during.following_count], [2, 2])
  for (const path of paths) {
    for (const who of [app.anon, star]) assertError(await who.get(path), 404, 'CREATOR_NOT_FOUND')
  }

  dataOf(await admin.patch(`/admin/users/${gone.id}`, { is_suspended: false }))
  for (const side of ['followers', 'following']) {
    assert.deepEqual(await listed(side), [[gone.id, fan.id], 2], side)
  }
  const { feeds } = dataOf(await star.get(`/creators/${gone.handle}/contents`))
  assert.deepEqual(idsOf(feeds), [content.id])
  assert.equal((await profileOf(star, gone.handle)).is_following, true)
})

test('hides a suspended creator with many followers from the lists of followed creators', async () => {
  const [admin, star, fan, secondFan] = [
    await app.admin(),
    await app.user(),
    await app.user(),
    await app.user(),
  ]
  await follow(fan, star)
  await follow(fan, secondFan)
  // With these 1,500 followers, a suspension of `star` does not update each follow.
  await app.sql(`insert into users (id, handle, email, email_key, password_hash, display_name, role,
      tier, is_suspended, created_at, search_text)
    with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < 1499)
    select 'usr_crowd' || i, 'crowd' || i, 'c' || i, 'c' || i, '', 'One', 'user', 'regular', 0, 1, ''
      from numbers`)
  await app.sql(`insert into user_counts (user_id, follower_count, following_count, content_count)
    select id, 0, 0, 0 from users where id like 'usr_crowd%'`)
  await app.sql(`insert into follows (creator_id, follower_id, created_at)
    select '${star.id}', id, 1 from users where id like 'usr_crowd%'`)
  const following = async () => {
    const { users, pagination } = dataOf(await app.anon.get(`/creators/${fan.handle}/following`))
    return [idsOf(users), pagination.total]
  }
  const stars = async () =>
    (await app.sql('select creator_id from suspended_stars')).map(({ creator_id }) => creator_id)
  const drifted = async () =>
    (await examineDatabase(app.db)).counts
      .filter(({ drift, name }) => drift > 0 && /follow|star/.test(name))
      .map(({ name }) => name)

  dataOf(await admin.patch(`/admin/users/${star.id}`, { is_suspended: true }))
  assert.deepEqual(await following(), [[secondFan.id], 1])
  assert.deepEqual(await stars(), [star.id])
  assert.deepEqual(await drifted(), [])

  dataOf(await admin.patch(`/admin/users/${star.id}`, { is_suspended: false }))
  assert.deepEqual(await following(), [[secondFan.id, star.id], 2])
  assert.deepEqual(await stars(), [])
  assert.deepEqual(await drifted(), [])
})
