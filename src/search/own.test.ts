import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, idsOf, makeContent } from '../../test/make.ts'

const app = await startApp()

test('finds own contents of any status by the same match, newest first', async () => {
  const [mina, jisoo] = [await app.user({ display_name: 'Heliotrope' }), await app.user()]
  const draft = (await makeContent(mina, { title: '자수정 draft', publish: false })).id
  const published = (await makeContent(mina, { title: 'Opal', tags: ['자수정'] })).id
  const archived = (await makeContent(mina, { title: '자수정 old' })).id
  dataOf(await mina.delete(`/contents/${archived}`), 204)
  await makeContent(jisoo, { title: '자수정' })
  const own = async (fields: Record<string, string>) => {
    const path = `/users/me/contents?${String(new URLSearchParams(fields))}`
    const { feeds, pagination } = dataOf(await mina.get(path))
    return [idsOf(feeds), pagination.total]
  }
  assert.deepEqual(await own({ q: '자수' }), [[published, draft], 2])
  assert.deepEqual(await own({ q: '자수 -opal' }), [[draft], 1])
  assert.deepEqual(await own({ q: '자수', status: 'archived' }), [[archived], 1])
  assert.deepEqual(await own({ q: 'heliotrope', per_page: '1', page: '2' }), [[draft], 2])
  assert.deepEqual(await own({ q: '!' }), [[], 0])
  assertInvalid(await mina.get('/users/me/contents?q='), 'q')
  assertInvalid(await mina.get(`/users/me/contents?q=${'x'.repeat(101)}`), 'q')
})
