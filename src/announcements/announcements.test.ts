import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, idsOf, valuesOf } from '../../test/make.ts'
import { deleteOldReads } from './queries.ts'

const app = await startApp()
const admin = await app.admin()
const WHILE = 600_000
const timeIn = (ms: number) => new Date(app.clock.now() + ms).toISOString()
const create = async (over: object = {}) =>
  dataOf(await admin.post('/admin/announcements', { title: { ko: '점검' }, ...over }), 201)
    .announcement
const shown = async (actor: Pick<typeof app.anon, 'get'> = app.anon) =>
  dataOf(await actor.get('/announcements')).announcements

test('shows current announcements, newest first, and none before its start or after its end', async () => {
  const first = await create({ body: { en: 'Body' }, link: '/pages/terms' })
  const later = await create({ starts_at: timeIn(WHILE), ends_at: timeIn(2 * WHILE) })
  const second = await create({ title: { en: 'Second' }, ends_at: timeIn(WHILE / 2) })
  assert.deepEqual(first.title, { ko: '점검', en: null })
  assert.deepEqual([first.body, first.ends_at], [{ ko: null, en: 'Body' }, null])
  const list = await shown()
  assert.deepEqual(idsOf(list), [second.id, first.id])
  assert.deepEqual(
    [list[1].title, list[1].body, list[1].link, list[1].is_read],
    ['점검', 'Body', '/pages/terms', false],
  )
  app.clock.advance(WHILE)
  assert.deepEqual(idsOf(await shown()), [later.id, first.id])
  app.clock.advance(WHILE)
  assert.deepEqual(idsOf(await shown()), [first.id])
  const { announcements, pagination } = dataOf(await admin.get('/admin/announcements?per_page=2'))
  assert.deepEqual([idsOf(announcements), pagination.total], [[second.id, later.id], 3])
  dataOf(await admin.delete(`/admin/announcements/${first.id}`), 204)
})

test('marks an announcement as read for one user, and not before its start', async () => {
  const [user, otherUser] = [await app.user(), await app.user()]
  const { id } = await create()
  const planned = await create({ starts_at: timeIn(WHILE) })
  assert.deepEqual(dataOf(await user.post(`/announcements/${id}/read`)), { id, is_read: true })
  dataOf(await user.post(`/announcements/${id}/read`))
  assert.equal((await shown(user))[0].is_read, true)
  assert.equal((await shown(otherUser))[0].is_read, false)
  const early = await user.post(`/announcements/${planned.id}/read`)
  assertError(early, 404, 'ANNOUNCEMENT_NOT_FOUND')
  assertError(await app.anon.post(`/announcements/${id}/read`), 401, 'UNAUTHORIZED')
  dataOf(await admin.delete(`/admin/announcements/${id}`), 204)
  const again = await admin.delete(`/admin/announcements/${id}`)
  assertError(again, 404, 'ANNOUNCEMENT_NOT_FOUND')
  assertError(await user.post(`/announcements/${id}/read`), 404, 'ANNOUNCEMENT_NOT_FOUND')
  assert.deepEqual(await shown(user), [])
  await deleteOldReads(app.db)
  assert.deepEqual(await app.sql('select * from announcement_reads'), [])
})

test('changes only the given fields, and audits each change', async () => {
  const { id, starts_at } = await create({ body: { en: 'Body' }, link: 'https://example.com/a' })
  const patch = (body: object) => admin.patch(`/admin/announcements/${id}`, body)
  const { announcement } = dataOf(await patch({ title: { en: 'New' }, link: null }))
  assert.deepEqual(
    [announcement.title, announcement.body.en, announcement.link, announcement.starts_at],
    [{ ko: null, en: 'New' }, 'Body', null, starts_at],
  )
  assertInvalid(await patch({ ends_at: starts_at }), 'ends_at')
  assertInvalid(await patch({ starts_at: 'tomorrow' }), 'starts_at')
  const { audit } = dataOf(await admin.get(`/admin/audit?target=${id}`))
  assert.deepEqual(valuesOf(audit, 'action'), ['announcement_changed', 'announcement_created'])
  const user = await app.user()
  assertError(await user.patch(`/admin/announcements/${id}`, {}), 403, 'FORBIDDEN')
})

test('rejects invalid announcements and stores nothing', async () => {
  const before = dataOf(await admin.get('/admin/announcements')).pagination.total
  const send = (over: object) =>
    admin.post('/admin/announcements', { title: { en: 'Title' }, ...over })
  assertInvalid(await send({ title: {} }), 'title')
  assertInvalid(await send({ title: { ko: 'x'.repeat(101) } }), 'title.ko')
  assertInvalid(await send({ body: { ko: 'x'.repeat(2001) } }), 'body.ko')
  for (const link of [
    '//evil.example',
    '/\\evil.example',
    'http://a.example',
    'javascript:alert(1)',
    'a',
  ]) {
    assertInvalid(await send({ link }), 'link')
  }
  assertInvalid(await send({ ends_at: timeIn(-WHILE) }), 'ends_at')
  assertInvalid(await send({ starts_at: timeIn(WHILE), ends_at: timeIn(WHILE) }), 'ends_at')
  assertInvalid(await send({ ends_at: '2030-02-31T00:00:00Z' }), 'ends_at')
  assert.equal(dataOf(await admin.get('/admin/announcements')).pagination.total, before)
})

test('shows at most 20 announcements', async () => {
  for (let i = 0; i < 21; i++) await create()
  assert.equal((await shown()).length, 20)
})
