import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent, suspend, times } from '../../test/make.ts'

interface Relation {
  name: string
  flag: string
  count: string
  table: string
  column: string
  make: () => Promise<{ id: string; path: string }>
}

const app = await startApp()

const onContent = (name: string) => async () => {
  const { id } = await makeContent(await app.user())
  return { id, path: `/contents/${id}/${name}` }
}

const RELATIONS: Relation[] = [
  {
    name: 'like',
    flag: 'is_liked',
    count: 'like_count',
    table: 'likes',
    column: 'content_id',
    make: onContent('like'),
  },
  {
    name: 'bookmark',
    flag: 'is_bookmarked',
    count: 'bookmark_count',
    table: 'bookmarks',
    column: 'content_id',
    make: onContent('bookmark'),
  },
  {
    name: 'follow',
    flag: 'is_following',
    count: 'follower_count',
    table: 'follows',
    column: 'creator_id',
    make: async () => {
      const { id, handle } = await app.user()
      return { id, path: `/creators/${handle}/follow` }
    },
  },
]

const countRows = (table: string, where: string) => app.count(`${table} where ${where}`)

for (const { name, flag, count, table, column, make } of RELATIONS) {
  describe(name, () => {
    const rowsOf = (id: string) => countRows(table, `${column} = '${id}'`)

    test('alternates strictly when one user toggles in parallel at two servers', async () => {
      const { id, path } = await make()
      const ana = await app.user()
      const sibling = await app.sibling()
      const elsewhere = ana.at(sibling.url)
      for (const [n, alreadySet] of [
        [31, false],
        [31, true],
        [30, false],
      ] as const) {
        const answers = await times(n, (i) => (i % 2 === 0 ? ana : elsewhere).post(path))
        const set = answers.filter((answer) => dataOf(answer)[flag] === true)
        assert.equal(set.length, alreadySet ? Math.floor(n / 2) : Math.ceil(n / 2))
        for (const { data } of answers) assert.equal(data[count], data[flag] ? 1 : 0)
        assert.equal(await rowsOf(id), (n % 2 === 1) === alreadySet ? 0 : 1)
      }
      await sibling.close()
    })

    test('returns a different count to each of many parallel users', async () => {
      const { id, path } = await make()
      const users = await times(24, () => app.user())
      const answers = await Promise.all(users.map((user) => user.post(path)))
      const counts = answers.map((answer) => dataOf(answer)[count]).toSorted((a, b) => a - b)
      assert.deepEqual(
        counts,
        users.map((_, i) => i + 1),
      )
      const undone = await Promise.all(users.map((user) => user.delete(path)))
      const left = undone.map((answer) => dataOf(answer)[count]).toSorted((a, b) => a - b)
      assert.deepEqual(
        left,
        users.map((_, i) => i),
      )
      assert.equal(await rowsOf(id), 0)
    })

    test('keeps the count equal to the rows under parallel set, unset and toggle', async () => {
      const { id, path } = await make()
      const users = await times(6, () => app.user())
      const methods = ['POST', 'PUT', 'DELETE', 'POST', 'POST', 'DELETE', 'PUT', 'POST']
      const answers = await Promise.all(
        methods.flatMap((method) => users.map((user) => user.request(method, path))),
      )
      for (const answer of answers) dataOf(answer)
      const { [count]: total } = dataOf(await (await app.user()).put(path))
      assert.equal(total, await rowsOf(id))
    })
  })
}

for (const name of ['like', 'bookmark']) {
  test(`stores a ${name} before archiving or not at all when both run in parallel`, async () => {
    const author = await app.user()
    const users = await times(5, () => app.user())
    const content = await makeContent(author)
    const path = `/contents/${content.id}/${name}`
    const [, ...answers] = await Promise.all([
      author.delete(`/contents/${content.id}`),
      ...users.map((user) => user.put(path)),
    ])
    for (const { status } of answers) assert.ok(status === 200 || status === 404)
    const made = answers.filter(({ status }) => status === 200).length
    assert.equal(await countRows(`${name}s`, `content_id = '${content.id}'`), made)
    assert.equal(
      await countRows('content_stats', `content_id = '${content.id}' and ${name}_count = ${made}`),
      1,
    )
  })
}

test('does not deadlock when two users like content items in opposite order', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const [a, b] = [await makeContent(ana), await makeContent(ben)]
  const answers = await times(60, (i) => {
    const liker = i % 2 === 0 ? ana : ben
    return liker.post(`/contents/${(i % 4 < 2 ? a : b).id}/like`)
  })
  for (const answer of answers) dataOf(answer)
})

test('does not deadlock when two users follow each other in parallel, and keeps both counts correct', async () => {
  const [ana, ben] = [await app.user(), await app.user()]
  const answers = await times(41, async (i) => {
    const [from, to] = i % 2 === 0 ? [ana, ben] : [ben, ana]
    return from.post(`/creators/${to.handle}/follow`)
  })
  for (const answer of answers) dataOf(answer)
  for (const { id } of [ana, ben]) {
    const followers = await countRows('follows', `creator_id = '${id}'`)
    const following = await countRows('follows', `follower_id = '${id}'`)
    const where = `user_id = '${id}' and follower_count = ${followers} and following_count = ${following}`
    assert.equal(await countRows('user_counts', where), 1)
  }
})

test('rejects following oneself in any spelling of the handle', async () => {
  const ana = await app.user()
  for (const handle of [ana.handle, ana.handle.toUpperCase()]) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await ana.request(method, `/creators/${handle}/follow`)
      assertError(answer, 409, 'CANNOT_FOLLOW_SELF')
    }
  }
  assert.equal(await countRows('follows', `follower_id = '${ana.id}'`), 0)
})

test('ignores the case of the handle', async () => {
  const [ana, creator] = [await app.user(), await app.user()]
  dataOf(await ana.put(`/creators/${creator.handle.toUpperCase()}/follow`))
  assert.equal(await countRows('follows', `creator_id = '${creator.id}'`), 1)
})

test('returns 404 for following and unfollowing an unknown or suspended creator', async () => {
  const [ana, creator] = [await app.user(), await app.user()]
  dataOf(await ana.put(`/creators/${creator.handle}/follow`))
  await suspend(app, creator)
  for (const handle of [creator.handle, 'nobody_here_x', 'a', '%00', 'x'.repeat(31)]) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await ana.request(method, `/creators/${handle}/follow`)
      assertError(answer, 404, 'CREATOR_NOT_FOUND')
    }
  }
  assert.equal(await countRows('follows', `creator_id = '${creator.id}'`), 1)
})

test("stores a follow before the creator's suspension or not at all when both run in parallel", async () => {
  const [creator, admin] = [await app.user(), await app.admin()]
  const users = await times(6, () => app.user())
  const path = `/creators/${creator.handle}/follow`
  const [suspended, ...answers] = await Promise.all([
    admin.patch(`/admin/users/${creator.id}`, { is_suspended: true }),
    ...users.map((user) => user.put(path)),
  ])
  dataOf(suspended)
  for (const { status } of answers) assert.ok(status === 200 || status === 404)
  const made = answers.filter(({ status }) => status === 200).length
  assert.equal(await countRows('follows', `creator_id = '${creator.id}'`), made)
  assertError(await (await app.user()).post(path), 404, 'CREATOR_NOT_FOUND')
})

test('reports the stored state of follows when the follower is suspended in parallel', async () => {
  const [follower, admin] = [await app.user(), await app.admin()]
  const creators = await times(9, () => app.user())
  for (const { handle } of creators.slice(0, 3)) {
    dataOf(await follower.put(`/creators/${handle}/follow`))
  }
  const methods = ['DELETE', 'PUT', 'POST']
  const [suspended, ...answers] = await Promise.all([
    admin.patch(`/admin/users/${follower.id}`, { is_suspended: true }),
    ...creators.map(({ handle }, i) =>
      follower.request(methods[Math.floor(i / 3)] as string, `/creators/${handle}/follow`),
    ),
  ])
  dataOf(suspended)
  for (const [i, answer] of answers.entries()) {
    const exists = await countRows(
      'follows',
      `creator_id = '${creators[i]?.id}' and follower_id = '${follower.id}'`,
    )
    if (answer.status === 200) assert.equal(dataOf(answer).is_following, exists === 1)
    else {
      assertError(answer, 401, 'UNAUTHORIZED')
      assert.equal(exists, i < 3 ? 1 : 0)
    }
  }
})

test('lists the users who like public content, the newest like first, without suspended users', async () => {
  const author = await app.user()
  const content = await makeContent(author)
  const likers = [await app.user(), await app.user(), await app.user()]
  for (const liker of likers) {
    app.clock.advance(1000)
    dataOf(await liker.put(`/contents/${content.id}/like`))
  }
  const [first, second, third] = likers
  assert.ok(first && second && third)
  dataOf(await author.put(`/creators/${first.handle}/follow`))
  await suspend(app, second)
  const { users, pagination } = dataOf(await author.get(`/contents/${content.id}/likers`))
  assert.deepEqual(
    users.map(({ id, is_following }: Loose) => [id, is_following]),
    [
      [third.id, false],
      [first.id, true],
    ],
  )
  assert.equal(pagination.total, 2)
  const page = dataOf(await app.anon.get(`/contents/${content.id}/likers?per_page=1&page=2`))
  assert.deepEqual([page.users[0].id, page.users[0].is_following], [first.id, false])
  dataOf(await author.delete(`/contents/${content.id}`), 204)
  assertError(await author.get(`/contents/${content.id}/likers`), 404, 'CONTENT_NOT_FOUND')
})
