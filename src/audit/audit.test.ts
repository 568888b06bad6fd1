import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, valuesOf } from '../../test/make.ts'

const app = await startApp()
const admin = await app.admin()

const give = (id: string, permissions: unknown) =>
  admin.put(`/admin/users/${id}/permissions`, { permissions })
const auditOf = async (query: string) => dataOf(await admin.get(`/admin/audit?${query}`))

test('replaces the permissions of a user with the next request, and notifies the user', async () => {
  const user = await app.user()
  const { user: changed } = dataOf(await give(user.id, ['site', 'moderate', 'site']))
  assert.deepEqual(changed.permissions, ['moderate', 'site'])
  assert.deepEqual(dataOf(await user.get('/auth/me')).user.permissions, ['moderate', 'site'])
  assert.deepEqual(dataOf(await give(user.id, [])).user.permissions, [])
  assert.deepEqual(dataOf(await user.get('/auth/me')).user.permissions, [])
  const { notifications } = dataOf(
    await user.get('/notifications', { headers: { 'accept-language': 'en' } }),
  )
  assert.deepEqual(
    notifications.map(({ type, message, link }: Loose) => [type, message, link]),
    [
      ['system', 'You no longer have any permissions to run this site.', '/account'],
      ['system', 'Your permissions have changed.', '/account'],
    ],
  )
})

test('rejects unknown permissions and unknown users, and changes nothing', async () => {
  const user = await app.user()
  assertInvalid(await give(user.id, ['moderate', 'root']), 'permissions.1')
  assertInvalid(await admin.put(`/admin/users/${user.id}/permissions`, {}), 'permissions')
  assertError(await give('usr_none', ['site']), 404, 'USER_NOT_FOUND')
  assertError(await user.put(`/admin/users/${user.id}/permissions`, {}), 403, 'FORBIDDEN')
  assert.deepEqual(dataOf(await user.get('/auth/me')).user.permissions, [])
  assert.equal((await auditOf(`target=${user.id}`)).pagination.total, 0)
})

test('gives no permission that was not granted, and admins need none', async () => {
  const user = await app.user()
  await give(user.id, ['moderate'])
  assertError(await user.get('/admin/users'), 403, 'FORBIDDEN')
  assertError(await user.get('/admin/audit'), 403, 'FORBIDDEN')
  const otherAdmin = await app.admin()
  assert.deepEqual(dataOf(await give(otherAdmin.id, ['site'])).user.permissions, [])
  assert.deepEqual(dataOf(await otherAdmin.get('/auth/me')).user.permissions, [])
})

test('lists audit entries by actor, target and action, newest first', async () => {
  const [user, otherUser] = [await app.user(), await app.user()]
  await give(user.id, ['members'])
  dataOf(await admin.patch(`/admin/users/${user.id}`, { is_suspended: true, reason: 'Spam' }))
  await give(otherUser.id, ['site'])
  const mine = await auditOf(`target=${user.id}`)
  assert.deepEqual(valuesOf(mine.audit, 'action'), ['suspended', 'permissions_changed'])
  const [, given] = mine.audit
  assert.deepEqual(given.target, { kind: 'user', id: user.id })
  assert.deepEqual([given.before.permissions, given.after.permissions], [[], ['members']])
  assert.equal(given.actor.id, admin.id)
  const { audit, pagination } = await auditOf(
    `actor=${admin.id}&action=permissions_changed&per_page=1`,
  )
  assert.deepEqual(audit[0].target, { kind: 'user', id: otherUser.id })
  assert.ok(pagination.total >= 2)
  assert.equal((await auditOf(`actor=${user.id}`)).pagination.total, 0)
  assertInvalid(await admin.get('/admin/audit?action=other'), 'action')
})
