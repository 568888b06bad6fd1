import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, idsOf } from '../../test/make.ts'
import { newId } from '../db/ids.ts'

const app = await startApp({ ACCESS_TOKEN_TTL: '86400' })
const viewer = await app.user()
const { id: creatorId } = await app.user()

interface Content {
  id: string
  tags: string[]
  publishedAt: number
}

/**
 * Creates content items with the tags that `tagsOf` returns, oldest first. Each is published a second after the
 * previous one.
 */
async function plant(count: number, tagsOf: (index: number) => string[]): Promise<Content[]> {
  const contents = Array.from({ length: count }, (_, index): Content => {
    const publishedAt = app.clock.now() + index * 1000
    return { id: newId('cnt', publishedAt), tags: tagsOf(index), publishedAt }
  })
  for (let from = 0; from < count; from += 500) {
    const some = contents.slice(from, from + 500)
    const values = (row: (content: Content) => string) => some.map(row).join(',')
    await app.sql(
      `insert into contents (id, creator_id, category, type, title, tags, status, published_at, created_at, updated_at)
       values ${values(({ id, publishedAt }) => `('${id}', '${creatorId}', 'hype', 'image', 'w', '[]', 'published', ${publishedAt}, 1, 1)`)}`,
    )
    await app.sql(
      `insert into content_stats (content_id, creator_id, category, is_public, published_at, hot_score)
       values ${values(({ id, publishedAt }) => `('${id}', '${creatorId}', 'hype', 1, ${publishedAt}, 1)`)}`,
    )
    const rows = some.flatMap(({ id, tags, publishedAt }) =>
      tags.map((tag) => `('${tag}', '${id}', 'hype', ${publishedAt}, 1)`),
    )
    if (rows.length > 0)
      await app.sql(
        `insert into content_tags (tag, content_id, category, published_at, score_bucket) values ${rows.join(',')}`,
      )
  }
  app.clock.advance(count * 1000)
  await app.sql(`delete from tag_totals`)
  await app.sql(`delete from tags`)
  await app.sql(
    `insert into tag_totals (tag, category, total)
     select tag, category, count(*) from content_tags group by tag, category`,
  )
  return contents.toReversed()
}

const read = async (query: string, path = '/feeds') =>
  dataOf(await viewer.get(`${path}?sort=tags${query}`))
const followOnly = async (tags: string[]) => {
  await app.sql(`delete from tag_follows where user_id = '${viewer.id}'`)
  for (const tag of tags) dataOf(await viewer.put(`/tags/${tag}/follow`))
}

test('lists at most the 1,000 newest contents, also when each tag has fewer', async () => {
  // Each content item has two of the three tags, so there are twice as many tag rows as content items.
  const names = ['a', 'b', 'c']
  const contents = await plant(1200, (index) => names.filter((_, i) => index % 3 !== i))
  const ids = idsOf(contents).slice(0, 1000)
  for (const [tags, expected] of [
    [['a', 'b', 'c'], ids],
    [['a', 'b'], ids],
    [['a'], idsOf(contents.filter((content) => content.tags.includes('a')))],
  ] as const) {
    await followOnly([...tags])
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { feeds, pagination } = await read(`&per_page=70&page=${page}`)
      assert.equal(pagination.total, expected.length)
      seen.push(...idsOf(feeds))
      if (!pagination.has_next) break
    }
    assert.deepEqual(seen, expected)
    const hype = await read('', '/feeds/hype')
    assert.deepEqual(
      [hype.pagination.total, idsOf(hype.feeds)],
      [expected.length, seen.slice(0, 20)],
    )
    assert.equal((await read('', '/feeds/swipe')).pagination.total, 0)
  }
  for (const page of [12, 1_000_000]) {
    const past = await read(`&per_page=100&page=${page}`)
    assert.deepEqual([past.feeds, past.pagination.total], [[], 800])
  }
})

test('with a tag, lists its content with a followed tag among its newest 5,000', async () => {
  const contents = await plant(5100, (index) =>
    index % 100 === 0 ? ['common', 'followed'] : ['common'],
  )
  await followOnly(['followed'])
  const expected = idsOf(contents.slice(0, 5000).filter(({ tags }) => tags.includes('followed')))
  const { feeds, pagination } = await read('&tag=common&per_page=100')
  assert.deepEqual([idsOf(feeds), pagination.total], [expected, expected.length])
  await followOnly(['common'])
  const own = await read('&tag=common&per_page=100&page=51')
  assert.deepEqual([own.feeds.length, own.pagination.total], [100, 5100])
  assert.deepEqual((await read('&tag=none')).feeds, [])
})
