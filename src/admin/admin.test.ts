import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeComment,
  makeContent,
  makePost,
  valuesOf,
} from '../../test/make.ts'
import { newId } from '../db/ids.ts'
import { promote } from './rules.ts'

const app = await startApp()
const admin = await app.admin()
const nobody = () => newId('usr', Date.now())

const read = async (id: string) => dataOf(await admin.get(`/admin/users/${id}`)).user
const change = async (id: string, body: unknown) =>
  dataOf(await admin.patch(`/admin/users/${id}`, body)).user
const auditOf = async (id: string) => dataOf(await admin.get(`/admin/users/${id}/audit`)).audit

async function systemMessagesOf(user: Actor): Promise<string[]> {
  const headers = { 'accept-language': 'en' }
  const { notifications } = dataOf(await user.get('/notifications', { headers }))
  const systemNotifications = notifications.filter(
    ({ type, actor }: Loose) => type === 'system' && !actor,
  )
  return valuesOf(systemNotifications, 'message')
}

async function loggedIn({ handle }: Actor): Promise<{ authorization: string }> {
  const body = { identifier: handle, password: PASSWORD }
  const { tokens } = dataOf(await app.anon.post('/auth/login', body))
  return { authorization: `Bearer ${tokens.access_token}` }
}

test('lists users newest first, without secrets', async () => {
  const [first, second] = [await app.user(), await app.user()]
  const answer = await admin.get('/admin/users?per_page=2')
  const { users, pagination } = dataOf(answer)
  assert.deepEqual(idsOf(users), [second.id, first.id])
  const fields =
    'avatar_sizes avatar_url created_at display_name email handle id is_suspended last_seen_at permissions role suspended_at suspension_reason'
  assert.equal(Object.keys(users[0]).sort().join(' '), fields)
  assert.ok(!/argon2|password|hash|token/i.test(answer.text))
  const end = dataOf(await admin.get(`/admin/users?page=${pagination.total + 1}&per_page=1`))
  assert.deepEqual([end.users, end.pagination.total], [[], pagination.total])
})

test('updates last_seen_at at sign-in', async () => {
  const { id } = await app.user()
  const { last_seen_at, created_at } = await read(id)
  assert.ok(Date.parse(last_seen_at) >= Date.parse(created_at))
})

test('search finds parts of handle, name, email and id, literally and ignoring case', async () => {
  const name = `Zaphod ${newId('usr', Date.now()).slice(-8)} 100%_Öst`
  const named = await app.user({ display_name: name })
  const found = async (q: string) => {
    const data = dataOf(await admin.get(`/admin/users?q=${encodeURIComponent(q)}`))
    assert.equal(data.pagination.total, data.users.length)
    return idsOf(data.users)
  }
  const { handle, email, id } = named
  for (const q of [handle, handle.slice(1, -1), handle.toUpperCase(), email, name.slice(7), id]) {
    assert.deepEqual(await found(q), [named.id], q)
    assert.deepEqual(await found(q.toUpperCase()), [named.id], q)
  }
  for (const q of [
    '%',
    '_%',
    '100%%',
    "'; drop table users;--",
    '\\',
    '((((',
    '😀',
    '%'.repeat(500),
  ]) {
    assert.equal((await found(q)).includes(named.id), name.includes(q), q)
  }
  for (const q of ['q=', 'q', 'q=a&q=b', 'q=a%00b']) {
    assertInvalid(await admin.get(`/admin/users?${q}`), 'q')
  }
})

test('a search counts all its results and reaches the last page', async () => {
  const many = 1007
  const values = Array.from({ length: many }, (_, index) => {
    const name = `crowd${String(index).padStart(4, '0')}`
    return `('usr_${name}', '${name}', '${name}@x.test', '${name}@x.test', '-', 'n', 'user', 'regular', 0, ${index}, '${name}')`
  })
  await app.sql(
    `insert into users (id, handle, email, email_key, password_hash, display_name, role, tier, is_suspended, created_at, search_text)
     values ${values.join(',')}`,
  )
  const page = async (number: number) =>
    dataOf(await admin.get(`/admin/users?q=crowd&per_page=100&page=${number}`))
  const [first, end, past] = [await page(1), await page(11), await page(12)]
  assert.equal(first.users[0].handle, 'crowd1006')
  assert.deepEqual([first.pagination.total, first.pagination.has_next], [many, true])
  const handles = valuesOf(end.users, 'handle')
  assert.deepEqual(
    handles,
    ['6', '5', '4', '3', '2', '1', '0'].map((digit) => `crowd000${digit}`),
  )
  assert.deepEqual([end.pagination.total, end.pagination.has_next], [many, false])
  assert.deepEqual([past.users, past.pagination.total], [[], many])
})

test('shows a user with counts of their activity', async () => {
  const [target, creator] = [await app.user(), await app.user()]
  const content = await makeContent(target)
  await makeContent(target, { publish: false })
  dataOf(await target.delete(`/contents/${(await makeContent(target)).id}`), 204)
  await makeComment(target, content.id)
  dataOf(await target.delete(`/comments/${(await makeComment(target, content.id)).id}`), 204)
  const post = await makePost(creator)
  await makePost(target)
  await target.put(`/contents/${content.id}/like`)
  await target.post(`/posts/${post.id}/like`)
  await target.put(`/creators/${creator.handle}/follow`)
  await loggedIn(target)
  const { activity, ...user } = await read(target.id)
  assert.deepEqual(activity, {
    content_count: 2,
    comment_count: 1,
    post_count: 1,
    like_count: 2,
    follower_count: 0,
    following_count: 1,
    session_count: 2,
  })
  assert.equal(user.email, target.email)
  assert.equal((await read(creator.id)).activity.follower_count, 1)
  for (const id of [nobody(), '1', target.handle, newId('cnt', 1)]) {
    assertError(await admin.get(`/admin/users/${id}`), 404, 'USER_NOT_FOUND')
    assertError(await admin.get(`/admin/users/${id}/audit`), 404, 'USER_NOT_FOUND')
    assertError(await admin.patch(`/admin/users/${id}`, { role: 'user' }), 404, 'USER_NOT_FOUND')
  }
})

test('a patch with one invalid field changes nothing', async () => {
  const target = await app.user()
  const before = await read(target.id)
  for (const [field, body] of [
    ['role', {}],
    ['is_suspended', { reason: 'x' }],
    ['role', { email: 'x@example.test' }],
    ['role', { role: 'owner', is_suspended: true }],
    ['role', { role: null, is_suspended: true }],
    ['role', { role: ['admin'] }],
    ['is_suspended', { role: 'admin', is_suspended: 'true' }],
    ['is_suspended', { role: 'admin', is_suspended: 1 }],
    ['is_suspended', { role: 'admin', is_suspended: null }],
    ['reason', { is_suspended: true, reason: 5 }],
    ['reason', { is_suspended: true, reason: 'x'.repeat(1001) }],
  ] as const) {
    assertInvalid(await admin.patch(`/admin/users/${target.id}`, body), field)
  }
  assertInvalid(await admin.patch(`/admin/users/${nobody()}`, { role: 'x' }), 'role')
  assert.deepEqual(await read(target.id), before)
  assert.deepEqual(await auditOf(target.id), [])
  assert.equal((await target.get('/auth/me')).status, 200)
})

test('ignores unknown fields', async () => {
  const target = await app.user()
  const extra = { email: 'x@example.test', handle: 'xxxx', id: nobody(), suspended_at: 1 }
  const changed = await change(target.id, { role: 'admin', ...extra })
  assert.deepEqual(
    [changed.id, changed.email, changed.handle],
    [target.id, target.email, target.handle],
  )
  await change(target.id, { role: 'user' })
})

test('a new role applies from the next request, and the user is notified', async () => {
  const target = await app.user()
  assertError(await target.get('/admin/users'), 403, 'FORBIDDEN')
  assert.equal((await change(target.id, { role: 'admin', reason: 'helps out' })).role, 'admin')
  assert.equal((await target.get('/admin/users')).status, 200)
  await change(target.id, { role: 'user' })
  assertError(await target.get('/admin/users'), 403, 'FORBIDDEN')
  assert.deepEqual(await systemMessagesOf(target), [
    "You're no longer an admin.",
    "You're now an admin.",
  ])
})

test('rejects demoting or suspending oneself, alone or with other fields', async () => {
  for (const body of [
    { role: 'user' },
    { is_suspended: true },
    { role: 'user', is_suspended: false, reason: 'x' },
    { role: 'admin', is_suspended: true },
  ]) {
    const answer = await admin.patch(`/admin/users/${admin.id}`, body)
    assertError(answer, 409, 'SELF_ACTION_FORBIDDEN')
  }
  const { role, is_suspended } = await change(admin.id, { role: 'admin', is_suspended: false })
  assert.deepEqual([role, is_suspended], ['admin', false])
  assert.deepEqual(await auditOf(admin.id), [])
})

test('a suspension ends sessions and hides user and contents; lifting it restores all but the sessions', async () => {
  const [target, fan] = [await app.user(), await app.user()]
  const content = await makeContent(target)
  const draft = await makeContent(target, { publish: false })
  await fan.put(`/contents/${content.id}/like`)
  await fan.put(`/creators/${target.handle}/follow`)
  const profile = dataOf(await fan.get(`/creators/${target.handle}`)).creator

  const suspended = await change(target.id, { is_suspended: true, reason: 'spam 스팸' })
  assert.deepEqual([suspended.is_suspended, suspended.suspension_reason], [true, 'spam 스팸'])
  assert.ok(suspended.suspended_at)
  assertError(await target.get('/auth/me'), 401, 'UNAUTHORIZED')
  const refresh = () => app.anon.post('/auth/refresh', { refresh_token: target.refreshToken })
  assertError(await refresh(), 401, 'UNAUTHORIZED')
  const login = { identifier: target.handle, password: PASSWORD }
  assertError(await app.anon.post('/auth/login', login), 403, 'ACCOUNT_SUSPENDED')
  assertError(await fan.get(`/creators/${target.handle}`), 404, 'CREATOR_NOT_FOUND')
  assertError(await fan.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
  const feed = dataOf(await app.anon.get('/feeds?per_page=100')).feeds
  assert.ok(!feed.some(({ id }: { id: string }) => id === content.id))

  const lifted = await change(target.id, { is_suspended: false })
  assert.deepEqual(
    [lifted.is_suspended, lifted.suspended_at, lifted.suspension_reason],
    [false, null, null],
  )
  assertError(await target.get('/auth/me'), 401, 'UNAUTHORIZED')
  assertError(await refresh(), 401, 'UNAUTHORIZED')
  assert.deepEqual(dataOf(await fan.get(`/creators/${target.handle}`)).creator, profile)
  const { like_count, is_liked } = dataOf(await fan.get(`/contents/${content.id}`)).content
  assert.deepEqual([like_count, is_liked], [1, true])
  assertError(await fan.get(`/contents/${draft.id}`), 404, 'CONTENT_NOT_FOUND')
  const back = app.anon.get('/notifications', {
    headers: { ...(await loggedIn(target)), 'accept-language': 'en' },
  })
  const [notification] = dataOf(await back).notifications
  assert.deepEqual(
    [notification.type, notification.actor, notification.message],
    ['system', null, 'Your account is no longer suspended.'],
  )
})

test('a patch with the current values changes, logs and notifies nothing', async () => {
  const target = await app.user()
  await change(target.id, { role: 'user', is_suspended: false, reason: 'nothing to do' })
  assert.deepEqual(await systemMessagesOf(target), [])
  assert.deepEqual(await auditOf(target.id), [])
  const suspended = await change(target.id, { is_suspended: true, reason: 'why' })
  app.clock.advance(1000)
  assert.deepEqual(await change(target.id, { is_suspended: true }), suspended)
  assert.deepEqual(await change(target.id, { is_suspended: true, reason: 'why' }), suspended)
  assert.equal((await auditOf(target.id)).length, 1)
  const corrected = await change(target.id, { is_suspended: true, reason: 'better said' })
  assert.deepEqual(corrected, { ...suspended, suspension_reason: 'better said' })
  assert.deepEqual(await change(target.id, { role: 'user', reason: 'not of this' }), corrected)
  assert.equal((await auditOf(target.id))[0].action, 'suspension_reason_changed')
})

test('the audit log records actor, change, reason, time and request', async () => {
  const target = await app.user()
  assert.deepEqual(await auditOf(target.id), [])
  const answer = await admin.patch(`/admin/users/${target.id}`, {
    role: 'admin',
    is_suspended: true,
    reason: ' both at once ',
  })
  const before = { role: 'user', is_suspended: false, suspension_reason: null }
  const between = { ...before, role: 'admin' }
  const after = { role: 'admin', is_suspended: true, suspension_reason: 'both at once' }
  assert.equal(dataOf(answer).user.suspension_reason, 'both at once')
  const [second, first] = await auditOf(target.id)
  assert.deepEqual([first.action, first.before, first.after], ['role_changed', before, between])
  assert.deepEqual([second.action, second.before, second.after], ['suspended', between, after])
  for (const entry of [first, second]) {
    assert.deepEqual([entry.actor.id, entry.reason], [admin.id, 'both at once'])
    assert.equal(entry.request_id, answer.json.meta.request_id)
    assert.match(entry.id, /^aud_/)
  }
  await change(target.id, { role: 'user', is_suspended: false })
  const page = dataOf(await admin.get(`/admin/users/${target.id}/audit?per_page=3&page=2`))
  assert.deepEqual([idsOf(page.audit), page.pagination.total], [[first.id], 4])
})

test('the operator promotes by handle: logged without an actor, notified once', async () => {
  const target = await app.user()
  const now = app.clock.now()
  assert.equal(await promote(app.db, target.handle.toUpperCase(), now), true)
  assert.equal(await promote(app.db, target.handle, now), false)
  assert.equal((await target.get('/admin/users')).status, 200)
  const entries = await auditOf(target.id)
  assert.deepEqual(
    entries.map(({ actor, action }: { actor: unknown; action: string }) => [actor, action]),
    [[null, 'role_changed']],
  )
  assert.deepEqual(await systemMessagesOf(target), ["You're now an admin."])
  await assert.rejects(promote(app.db, 'nobody_here', now), { code: 'USER_NOT_FOUND' })
  await change(target.id, { role: 'user' })
})
