import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, testSecrets } from '../../test/app.ts'
import { plazaOn } from '../../test/command.ts'
import { assertError, dataOf, makeComment, makeContent, makePost } from '../../test/make.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
const read = async (actor = admin) => dataOf(await actor.get('/admin/overview')).overview

test('counts what the database and the storage hold, at most a minute late', async () => {
  const [user, suspended] = [await app.user(), await app.user()]
  const content = await makeContent(user)
  await makeContent(user, { publish: false })
  const gone = await makeContent(user)
  dataOf(await user.delete(`/contents/${gone.id}`), 204)
  await makeComment(user, content.id)
  const comment = await makeComment(user, content.id)
  dataOf(await user.delete(`/comments/${comment.id}`), 204)
  await makePost(user)
  const { size_bytes } = await makeUpload(user, await drawing(80).png().toBuffer())
  dataOf(await admin.patch(`/admin/users/${suspended.id}`, { is_suspended: true }))

  const found = await read()
  assert.deepEqual([found.users.total, found.users.suspended, found.users.new_7d], [3, 1, 3])
  assert.deepEqual(found.contents, {
    draft: 1,
    processing: 0,
    published: 1,
    archived: 1,
    hidden: 0,
  })
  assert.deepEqual([found.comment_count, found.post_count], [1, 1])
  assert.equal(found.storage.original_bytes, size_bytes)
  assert.ok(found.storage.derived_bytes > 0)
  assert.equal(found.storage.bundle_bytes, 0)
  assert.deepEqual(found.jobs, { queued: 0, processing: 0, failed_24h: 0 })
  assert.deepEqual([found.mail, found.webhooks], [{ pending: 0, failed_24h: 0 }, { pending: 0 }])
  assert.ok(found.disk.free_bytes > 0 && found.disk.total_bytes >= found.disk.free_bytes)
  assert.equal(found.last_backup_at, null)

  await makePost(user)
  app.clock.advance(60_000)
  assert.equal((await read()).post_count, 2)
})

test('counts the contents that decisions hide, in any status, until they are undone', async () => {
  const author = await app.user()
  const hide = ({ id }: { id: string }) => makeDecision(admin, 'hide', 'content', id)
  const [published, archived] = [await makeContent(author), await makeContent(author)]
  const decision = await hide(published)
  await hide(archived)
  dataOf(await author.delete(`/contents/${archived.id}`), 204)
  const before = (await read()).contents
  app.clock.advance(60_000)
  const after = (await read()).contents
  assert.deepEqual([before.hidden, after.hidden], [0, 2])
  dataOf(await undo(admin, decision))
  app.clock.advance(60_000)
  assert.equal((await read()).contents.hidden, 1)
})

test('shows when the last backup was completed', async () => {
  const { dataDir, databaseUrl } = app.deps.config
  const plaza = plazaOn({ dataDir, databaseUrl }, testSecrets())
  const before = Date.now()
  const { code, err } = await plaza('backup', `${dataDir}/backup.tar`, '--without-files')
  assert.equal(code, 0, err)
  app.clock.advance(60_000)
  const { last_backup_at } = await read()
  assert.ok(Date.parse(last_backup_at) >= before)
})

test('is only for admins and users with the permission', async () => {
  const user = await app.user()
  assertError(await user.get('/admin/overview'), 403, 'FORBIDDEN')
  dataOf(await admin.put(`/admin/users/${user.id}/permissions`, { permissions: ['site'] }))
  assert.equal(typeof (await read(user)).users.total, 'number')
})
