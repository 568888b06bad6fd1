import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, makeContent, times } from '../../test/make.ts'

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
