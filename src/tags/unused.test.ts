import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, makeContent, times, valuesOf } from '../../test/make.ts'
import { deleteUnusedTags } from './unused.ts'

const app = await startApp({ RATE_LIMITS: 'off' })
const ana = await app.user()
const admin = await app.admin()

const setTags = async (who: Actor, id: string, tags: string[]) =>
  dataOf(await who.patch(`/contents/${id}`, { tags }))
const rowsOf = async (tag: string) => [
  await app.count(`tags where tag = '${tag}'`),
  await app.count(`tag_totals where tag = '${tag}'`),
  await app.count(`search_documents where id = '#${tag}'`),
]
const search = async (q: string) =>
  valuesOf(dataOf(await app.anon.get(`/search?kind=tags&q=${q}`)).tags, 'tag')

test('deletes the rows of unused tags, except hidden ones, and keeps follows', async () => {
  const { id } = await makeContent(ana, { tags: ['gone', 'used', 'hidden'] })
  dataOf(await ana.put('/tags/gone/follow'))
  dataOf(await admin.put('/admin/tags/hidden/hidden'))
  await setTags(ana, id, ['used'])
  await deleteUnusedTags(app.db)
  assert.deepEqual(await rowsOf('gone'), [0, 0, 0])
  assert.deepEqual(await rowsOf('used'), [1, 1, 1])
  assert.deepEqual(await rowsOf('hidden'), [1, 1, 1])
  const { tag } = dataOf(await ana.get('/tags/gone'))
  assert.deepEqual(tag, { tag: 'gone', content_count: 0, is_following: true })
  assert.deepEqual(await search('gone'), [])

  await setTags(ana, id, ['gone', 'hidden'])
  assert.deepEqual(await search('gone'), ['gone'])
  assert.deepEqual(await search('hidden'), [])
  const feed = dataOf(await ana.get('/feeds?sort=tags'))
  assert.deepEqual(valuesOf(feed.feeds, 'id'), [id])
  assert.deepEqual(await app.drifted(), [])
})

test('deletes any number of unused tags', async () => {
  const { id } = await makeContent(ana)
  for (let turn = 0; turn < 45; turn++) {
    await setTags(
      ana,
      id,
      Array.from({ length: 10 }, (_, index) => `many ${turn} ${index}`),
    )
  }
  assert.equal(await app.count(`tags where tag like 'many %'`), 450)
  await deleteUnusedTags(app.db)
  assert.equal(await app.count(`tags where tag like 'many %'`), 10)
  assert.deepEqual(await app.drifted(), [])
})

test('loses no tag that is published or hidden at the same time', async () => {
  const authors = await times(4, () => app.user())
  const contents = await times(4, (index) => makeContent(authors[index] as Actor))
  for (let turn = 0; turn < 12; turn++) {
    const tags = [`race ${turn} a`, `race ${turn} b`]
    await setTags(authors[0] as Actor, contents[0].id, tags)
    await setTags(authors[0] as Actor, contents[0].id, [])
    await Promise.all([
      deleteUnusedTags(app.db),
      ...authors.map((author, index) =>
        setTags(author, contents[index].id, index % 2 ? tags : tags.toReversed()),
      ),
      admin.put(`/admin/tags/${encodeURIComponent(`race ${turn} a`)}/hidden`).then(dataOf),
      deleteUnusedTags(app.db),
    ])
    const rows = await app.sql(
      `select tag, content_count, is_hidden from tags where tag like 'race ${turn} %' order by tag`,
    )
    const numbers = rows.map((row) => [row['tag'], Number(row['content_count'])])
    assert.deepEqual(numbers, [
      [`race ${turn} a`, 4],
      [`race ${turn} b`, 4],
    ])
    assert.equal(Number(rows[0]?.['is_hidden']), 1)
  }
  assert.deepEqual(await app.drifted(), [])
})
