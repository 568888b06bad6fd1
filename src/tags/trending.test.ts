import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, makeContent, times, valuesOf } from '../../test/make.ts'
import { UNCACHED_MAX } from './trending.ts'

const app = await startApp({ RATE_LIMITS: 'off' })
const [ana, ben, admin] = [await app.user(), await app.user(), await app.admin()]

const publish = async (tags: string[]) => {
  for (const author of [ana, ben]) await makeContent(author, { tags })
}
const list = async (query = '') => {
  const { tags, pagination } = dataOf(await app.anon.get(`/tags?sort=trending${query}`))
  return { tags: valuesOf(tags, 'tag'), total: pagination.total }
}

test('reads the current list while few contents are recent, and caches it for a minute when many are', async () => {
  await publish(['first'])
  assert.deepEqual(await list(), { tags: ['first'], total: 1 })
  await publish(['first', 'second'])
  assert.deepEqual(await list(), { tags: ['first', 'second'], total: 2 })
  await times(Math.ceil(UNCACHED_MAX / 10), (index) =>
    makeContent(ana, { tags: Array.from({ length: 10 }, (_, n) => `many ${index} ${n}`) }),
  )
  assert.deepEqual(await list(), { tags: ['first', 'second'], total: 2 })

  await publish(['third'])
  dataOf(await ana.put('/tags/second/follow'))
  assert.deepEqual(await list(), { tags: ['first', 'second'], total: 2 })
  assert.deepEqual(await list('&q=sec'), { tags: ['second'], total: 1 })
  const { tags } = dataOf(await ana.get('/tags?sort=trending&page=2&per_page=1'))
  assert.deepEqual(tags, [{ tag: 'second', content_count: 2, is_following: true }])
  dataOf(await admin.put('/admin/tags/first/hidden'))
  assert.deepEqual((await list()).tags, ['second'], 'a hidden tag leaves the list at once')

  app.clock.advance(60_001)
  assert.deepEqual(await list(), { tags: ['second', 'third'], total: 2 })
})

test('stores the number of tags that lists show', async () => {
  const totalOf = async () => dataOf(await app.anon.get('/tags?per_page=1')).pagination.total
  const shown = () => app.count('tags where content_count > 0 and is_hidden = 0')
  const assertTotal = async (change: number) => {
    assert.equal(await totalOf(), before + change)
    assert.equal(await shown(), before + change)
  }
  const before = await totalOf()
  const { id } = await makeContent(ana, { tags: ['one', 'two'] })
  await assertTotal(2)
  dataOf(await admin.put('/admin/tags/one/hidden'))
  await assertTotal(1)
  dataOf(await ana.patch(`/contents/${id}`, { tags: ['two', 'three'] }))
  dataOf(await admin.delete('/admin/tags/one/hidden'))
  await assertTotal(2)
  dataOf(await ana.delete(`/contents/${id}`), 204)
  await assertTotal(0)
  assert.deepEqual(await app.drifted(), [])
})
