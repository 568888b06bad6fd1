import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, makePost } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'

import { startDueDeletions } from './deletions.ts'

const GRACE_MS = 1_209_600_000
const app = await startApp()

const rows = (table: string, where: string) => app.count(`${table} where ${where}`)

async function untilErased(): Promise<void> {
  await until(async () => (await rows('jobs', "kind = 'erasure'")) === 0, 'the end of erasures')
}

const CHOICES = { contents: 'erase', texts: 'erase' }

async function request(user: Actor, over: object = {}) {
  return user.post('/auth/me/deletion', { current_password: PASSWORD, ...CHOICES, ...over })
}

const deletionOf = async (user: Actor) => dataOf(await user.get('/auth/me')).user.deletion

describe('the deletion of an account', () => {
  test('is scheduled, shown, changed and cancelled while the account works as usual', async () => {
    const ana = await app.user()
    assert.equal(await deletionOf(ana), null)
    const { deletion } = dataOf(await request(ana), 202)
    assert.deepEqual(deletion, {
      status: 'scheduled',
      ...CHOICES,
      requested_at: deletion.requested_at,
      due_at: new Date(Date.parse(deletion.requested_at) + GRACE_MS).toISOString(),
    })
    app.clock.advance(60_000)
    const changed = dataOf(await request(ana, { texts: 'keep' }), 202).deletion
    assert.deepEqual(changed, { ...deletion, texts: 'keep' })
    assert.deepEqual(await deletionOf(ana), changed)
    await makePost(ana)
    const login = { identifier: ana.handle, password: PASSWORD }
    assert.deepEqual(dataOf(await app.anon.post('/auth/login', login)).user.deletion, changed)
    assert.equal((await ana.delete('/auth/me/deletion')).status, 204)
    assertError(await ana.delete('/auth/me/deletion'), 404, 'DELETION_NOT_FOUND')
    assert.equal(await deletionOf(ana), null)
    await startDueDeletions(app.db, app.deps.config, app.clock.now() + 2 * GRACE_MS)
    assert.equal(dataOf(await ana.get('/auth/me')).user.handle, ana.handle)
  })

  test('needs the password and both choices', async () => {
    const ana = await app.user()
    assertInvalid(await request(ana, { current_password: 'wrong password' }), 'current_password')
    assertInvalid(await request(ana, { contents: 'burn' }), 'contents')
    assertInvalid(await ana.post('/auth/me/deletion', { contents: 'keep' }), 'current_password')
    assertError(await app.anon.post('/auth/me/deletion', CHOICES), 401, 'UNAUTHORIZED')
    assert.equal(await deletionOf(ana), null)
  })

  test('begins when it is due, on every process only once', async () => {
    const ana = await app.user()
    dataOf(await request(ana), 202)
    const now = app.clock.now()
    await startDueDeletions(app.db, app.deps.config, now + GRACE_MS - 60_000)
    assert.equal((await ana.get('/auth/me')).status, 200)
    const due = now + GRACE_MS + 1000
    await Promise.all([1, 2, 3].map(() => startDueDeletions(app.db, app.deps.config, due)))
    assertError(await ana.get('/auth/me'), 401, 'UNAUTHORIZED')
    await untilErased()
    assert.equal(await rows('audit_entries', `target_id = '${ana.id}'`), 1)
    assert.deepEqual(await app.drifted(), [])
  })

  test('is cancelled or begun when both happen at once', async () => {
    const ana = await app.user()
    dataOf(await request(ana), 202)
    const [cancelled] = await Promise.all([
      ana.delete('/auth/me/deletion'),
      startDueDeletions(app.db, app.deps.config, app.clock.now() + GRACE_MS + 1000),
    ])
    await untilErased()
    const isErased = (await ana.get('/auth/me')).status === 401
    assert.equal(cancelled.status === 204, !isErased)
  })

  test('is refused to the last admin, also when it is due', async () => {
    const otherApp = await startApp()
    const [only, second] = [await otherApp.admin(), await otherApp.admin()]
    const body = { current_password: PASSWORD, ...CHOICES }
    dataOf(await only.post('/auth/me/deletion', body), 202)
    dataOf(await only.patch(`/admin/users/${second.id}`, { role: 'user' }))
    await startDueDeletions(otherApp.db, otherApp.deps.config, otherApp.clock.now() + 2 * GRACE_MS)
    const { notifications } = dataOf(await only.get('/notifications'))
    assert.equal(notifications[0].link, '/account')
    assert.equal(dataOf(await only.get('/auth/me')).user.deletion, null)
    assertError(await only.post('/auth/me/deletion', body), 409, 'LAST_ADMIN')
    assert.deepEqual(await otherApp.sql('select * from erasures'), [])
    assert.deepEqual(await otherApp.sql(`select * from jobs where kind = 'erasure'`), [])
  })
})
