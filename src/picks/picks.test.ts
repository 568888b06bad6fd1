import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../db/ids.ts'
import { startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeContent,
  times,
  valuesOf,
} from '../../test/make.ts'

const app = await startApp()
const admin = await app.admin()
const creator = await app.user()
const put = (id: string, body?: object) => admin.put(`/admin/picks/${id}`, body)
const remove = (id: string) => admin.delete(`/admin/picks/${id}`)
const picked = async () =>
  dataOf(await app.anon.get('/picks')).picks.map(
    ({ content }: { content: { id: string } }) => content.id,
  )

test('lists picks by position, with note and end', async () => {
  const [a, b, c] = (await times(3, () => makeContent(creator))).map(({ id }) => id as string)
  assert.ok(a && b && c)
  const until = new Date(app.clock.now() + 60_000).toISOString()
  const { pick } = dataOf(await put(a, { note: 'Great', until }))
  assert.deepEqual([pick.content.id, pick.note, pick.until], [a, 'Great', until])
  dataOf(await put(b))
  dataOf(await put(c, { position: 0 }))
  assert.deepEqual(await picked(), [c, a, b])
  dataOf(await put(c, { position: 99 }))
  assert.deepEqual(await picked(), [a, b, c])
  const { pick: changed } = dataOf(await put(a, {}))
  assert.deepEqual([changed.note, changed.until], [null, null])
  assert.deepEqual(await picked(), [a, b, c])
  dataOf(await put(b, { until }))
  app.clock.advance(61_000)
  assert.deepEqual(await picked(), [a, c])
  dataOf(await remove(a), 204)
  dataOf(await remove(a), 204)
  assert.deepEqual(await picked(), [c])
  const { audit } = dataOf(await admin.get(`/admin/audit?target=${a}`))
  assert.deepEqual(valuesOf(audit, 'action'), ['pick_removed', 'pick_changed', 'pick_changed'])
  dataOf(await remove(c), 204)
})

test('hides a pick while its content is not public, and shows it again afterwards', async () => {
  const author = await app.user()
  const { id } = await makeContent(author)
  dataOf(await put(id))
  dataOf(await admin.patch(`/admin/users/${author.id}`, { is_suspended: true }))
  assert.deepEqual(await picked(), [])
  assertError(await put(id), 404, 'CONTENT_NOT_FOUND')
  dataOf(await admin.patch(`/admin/users/${author.id}`, { is_suspended: false }))
  assert.deepEqual(await picked(), [id])
  dataOf(await remove(id), 204)
})

test('rejects content that is not public, wrong fields and other users', async () => {
  const { id } = await makeContent(creator, { publish: false })
  assertError(await put(id), 404, 'CONTENT_NOT_FOUND')
  assertError(await put(newId('cnt', app.clock.now())), 404, 'CONTENT_NOT_FOUND')
  assertError(await remove(newId('cnt', app.clock.now())), 404, 'CONTENT_NOT_FOUND')
  const shown = await makeContent(creator)
  assertInvalid(await put(shown.id, { note: 'x'.repeat(201) }), 'note')
  assertInvalid(await put(shown.id, { position: -1 }), 'position')
  assertInvalid(await put(shown.id, { until: 'soon' }), 'until')
  assertInvalid(await put(shown.id, { until: '2020-01-01T00:00:00Z' }), 'until')
  assertError(await creator.put(`/admin/picks/${shown.id}`), 403, 'FORBIDDEN')
  assert.deepEqual(await picked(), [])
})

test('keeps two picks that are added at the same time, and allows at most 50', async () => {
  const contents = await times(51, () => makeContent(creator))
  const answers = await times(51, (i) => put(contents[i].id))
  const codes = answers.map(({ status }) => status)
  assert.equal(codes.filter((code) => code === 200).length, 50)
  assertError(answers.find(({ status }) => status !== 200) as never, 409, 'LIMIT_REACHED')
  assert.equal((await picked()).length, 50)
  const [first] = await picked()
  dataOf(await put(first, { note: 'Again' }))
})
