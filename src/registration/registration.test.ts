import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, type Anyone } from '../../test/actors.ts'
import { startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { deleteOldApplications } from '../admission/application-queries.ts'
import { assertError, assertInvalid, dataOf, idsOf, suspend, valuesOf } from '../../test/make.ts'

const app = await startApp({ TRUST_PROXY: '1' })
const admin = await app.admin()
const DAY = 24 * 3_600_000
const password = 'a long walk by the river'

async function setMode(registration: string, over: object = {}) {
  const { revision } = dataOf(await admin.get('/admin/site'))
  dataOf(await admin.patch('/admin/site', { revision, registration, ...over }))
}

async function register(handle: string, over: object = {}, caller: Anyone = app.anon) {
  const account = { handle, email: `${handle}@example.test`, password }
  const captcha_token = await captchaToken(app.anon)
  return caller.post('/auth/register', { ...account, captcha_token, ...over })
}

const login = (identifier: string, secret = password) =>
  app.anon.post('/auth/login', { identifier, password: secret })

async function makeInvite(over: object = {}, actor = admin) {
  return dataOf(await actor.post('/invites', over), 201).invite
}

test('closed: rejects everyone before the body, also with a code, and creates nothing', async () => {
  const { code } = await makeInvite()
  await setMode('closed')
  assertError(await register('late'), 403, 'REGISTRATION_CLOSED')
  assertError(await register('late', { invite_code: code }), 403, 'REGISTRATION_CLOSED')
  const raw = await app.anon.post('/auth/signup', undefined, { raw: 'no json' })
  assertError(raw, 403, 'REGISTRATION_CLOSED')
  assert.deepEqual(await app.sql(`select id from users where handle = 'late'`), [])
  await setMode('open')
  dataOf(await register('late'), 201)
})

test('closed comes before a captcha that is not configured', async () => {
  const closed = await startApp({ CAPTCHA_SECRET: '', REGISTRATION: 'closed' })
  assertError(await closed.anon.post('/auth/register', {}), 403, 'REGISTRATION_CLOSED')
})

test('open: ignores an application and rejects a wrong code', async () => {
  const { user } = dataOf(await register('open_one', { application: 'Hello' }), 201)
  assert.equal(user.handle, 'open_one')
  assertError(await register('open_two', { invite_code: 'AAAAA-AAAAA' }), 422, 'INVITE_INVALID')
  assertInvalid(await register('open_two', { application: 'x'.repeat(1001) }), 'application')
  assertError(await login('open_two'), 401, 'INVALID_CREDENTIALS')
})

test('invite: needs a code, names it with other wrong fields, and counts its use', async () => {
  await setMode('invite')
  assertError(await register('visitor'), 422, 'INVITE_REQUIRED')
  const several = await register('visitor', { password: 'short' })
  assertInvalid(several, 'password')
  assertInvalid(several, 'invite_code')
  assertInvalid(await register('visitor', { captcha_token: undefined }), 'invite_code')
  const invite = await makeInvite({ max_uses: 2, note: 'Club' })
  assert.match(invite.code, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
  const typed = ` ${invite.code.toLowerCase().replace('-', ' ')} `
  assertError(
    await register('visitor', { invite_code: invite.code, handle: admin.handle }),
    409,
    'HANDLE_TAKEN',
  )
  dataOf(await register('visitor', { invite_code: typed }), 201)
  dataOf(await register('visitor_two', { invite_code: invite.code }), 201)
  assertError(await register('visitor_three', { invite_code: invite.code }), 422, 'INVITE_INVALID')
  const { invites } = dataOf(await admin.get('/admin/invites'))
  const found = invites.find(({ id }: { id: string }) => id === invite.id)
  assert.deepEqual(
    [found.code, found.use_count, valuesOf(found.users, 'handle')],
    [null, 2, ['visitor', 'visitor_two']],
  )
  await setMode('open')
})

test('accepts one of two registrations for the last use of a code', async () => {
  const { code, id } = await makeInvite()
  const answers = await Promise.all(
    ['race_one', 'race_two'].map((handle) => register(handle, { invite_code: code })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422])
  assertError(answers.find(({ status }) => status === 422) as never, 422, 'INVITE_INVALID')
  assert.equal(Number(await app.value(`select use_count from invites where id = '${id}'`)), 1)
  const users = await app.sql(`select id from users where handle in ('race_one', 'race_two')`)
  assert.equal(users.length, 1)
})

test('rejects expired and revoked codes, and revokes own invites only', async () => {
  const soon = await makeInvite({ expires_at: new Date(app.clock.now() + 60_000).toISOString() })
  const revoked = await makeInvite()
  dataOf(await admin.delete(`/invites/${revoked.id}`), 204)
  dataOf(await admin.delete(`/invites/${revoked.id}`), 204)
  app.clock.advance(61_000)
  for (const { code } of [soon, revoked]) {
    assertError(await register('nobody_x', { invite_code: code }), 422, 'INVITE_INVALID')
  }
  await setMode('open', { invites_per_user: 1 })
  const [ben, mia] = [await app.user(), await app.user()]
  const { id } = await makeInvite({}, ben)
  assertError(await mia.delete(`/invites/${id}`), 404, 'INVITE_NOT_FOUND')
  assert.deepEqual(idsOf(dataOf(await mia.get('/invites')).invites), [])
  assert.deepEqual(idsOf(dataOf(await ben.get('/invites')).invites), [id])
  assertError(await ben.post('/invites'), 409, 'LIMIT_REACHED')
  dataOf(await admin.delete(`/invites/${id}`), 204)
  const replies = await Promise.all([ben.post('/invites'), ben.post('/invites')])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 409])
  await setMode('open', { invites_per_user: 0 })
  assertError(await mia.post('/invites', undefined, { raw: 'no json' }), 403, 'FORBIDDEN')
  assertError(await mia.get('/admin/invites'), 403, 'FORBIDDEN')
})

test('admits nobody with the invite of a suspended user', async () => {
  await setMode('invite', { invites_per_user: 1 })
  const host = await app.user()
  const { code } = await makeInvite({}, host)
  await suspend(app, host)
  assertError(await register('guest_one', { invite_code: code }), 422, 'INVITE_INVALID')
  await suspend(app, host, false)
  dataOf(await register('guest_one', { invite_code: code }), 201)
})

test('validates invites, and hides the code in a replay', async () => {
  const timeIn = (ms: number) => new Date(app.clock.now() + ms).toISOString()
  assertInvalid(await admin.post('/invites', { max_uses: 0 }), 'max_uses')
  assertInvalid(await admin.post('/invites', { max_uses: 101 }), 'max_uses')
  assertInvalid(await admin.post('/invites', { expires_at: timeIn(-1000) }), 'expires_at')
  assertInvalid(await admin.post('/invites', { expires_at: timeIn(366 * DAY) }), 'expires_at')
  assertInvalid(await admin.post('/invites', { expires_at: 'soon' }), 'expires_at')
  assertInvalid(await admin.post('/invites', { note: 'x'.repeat(201) }), 'note')
  const keyed = { headers: { 'idempotency-key': 'invite-1' } }
  const first = dataOf(await admin.post('/invites', {}, keyed), 201).invite
  const again = dataOf(await admin.post('/invites', {}, keyed), 201).invite
  assert.deepEqual([again.id, again.code], [first.id, null])
  const days = (Date.parse(first.expires_at) - Date.parse(first.created_at)) / DAY
  assert.equal(Math.round(days), 7)
  assert.ok(
    !String(await app.value(`select code_hash from invites where id = '${first.id}'`)).includes(
      first.code,
    ),
  )
})

test('approval: stores an application, which reserves handle and email and cannot sign in', async () => {
  await setMode('approval')
  assertInvalid(await register('hana'), 'application')
  const several = await register('hana', { password: 'short' })
  assertInvalid(several, 'password')
  assertInvalid(several, 'application')
  const { application, ...others } = dataOf(await register('hana', { application: 'Hi' }), 202)
  assert.deepEqual([application.status, others], ['pending', {}])
  assert.match(application.id, /^reg_/)
  assertError(await login('hana'), 403, 'APPLICATION_PENDING')
  assertError(await login('hana@example.test'), 403, 'APPLICATION_PENDING')
  assertError(await login('hana', 'another password'), 401, 'INVALID_CREDENTIALS')
  const more = { application: 'Me too' }
  assertError(await register('HANA', { ...more, email: 'x@example.test' }), 409, 'HANDLE_TAKEN')
  const email = 'Hana@example.test'
  assertError(await register('hana_two', { ...more, email }), 409, 'EMAIL_TAKEN')
  const user = await app.user()
  const change = { email, current_password: user.password }
  assertError(await user.patch('/auth/me', change), 409, 'EMAIL_TAKEN')
  const { code } = await makeInvite()
  assertError(await register('hana', { invite_code: code }), 409, 'HANDLE_TAKEN')
  dataOf(await register('invited', { invite_code: code }), 201)
  assert.deepEqual(await app.sql(`select id from users where handle = 'hana'`), [])

  assert.equal(dataOf(await admin.get('/admin/counts')).open_applications, 1)
  const list = dataOf(await admin.get('/admin/applications?status=pending')).applications
  assert.deepEqual(
    [list.length, list[0].id, list[0].application, list[0].decided_by],
    [1, application.id, 'Hi', null],
  )
  assert.ok(!JSON.stringify(list).includes('password'))
  const approve = () => admin.post(`/admin/applications/${application.id}/approve`, {})
  const { application: approved } = dataOf(await approve())
  assert.deepEqual([approved.status, approved.decided_by.id], ['approved', admin.id])
  assertError(await approve(), 409, 'APPLICATION_DECIDED')
  assert.equal(dataOf(await admin.get('/admin/counts')).open_applications, 0)
  assert.equal(dataOf(await login('hana')).user.handle, 'hana')
})

test('decides an application once, and frees handle and email of a rejected one', async () => {
  const { application } = dataOf(await register('jun', { application: 'Hi' }), 202)
  const decide = (word: string) =>
    admin.post(`/admin/applications/${application.id}/${word}`, { reason: 'No spam' })
  const answers = await Promise.all([decide('approve'), decide('reject')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  const users = await app.sql(`select id from users where handle = 'jun'`)
  const isApproved = answers[0]?.status === 200
  assert.equal(users.length, isApproved ? 1 : 0)
  const { application: next } = dataOf(await register('jia', { application: 'Hi' }), 202)
  const path = `/admin/applications/${next.id}/reject`
  const { application: rejected } = dataOf(await admin.post(path, { reason: 'Spam' }))
  assert.deepEqual([rejected.status, rejected.reason], ['rejected', 'Spam'])
  assertError(await login('jia'), 401, 'INVALID_CREDENTIALS')
  dataOf(await register('jia', { application: 'Again' }), 202)
  const { audit } = dataOf(await admin.get(`/admin/audit?target=${next.id}`))
  assert.deepEqual([audit[0].action, audit[0].reason], ['application_rejected', 'Spam'])
  const missing = '/admin/applications/reg_01kahw2q7nf5x9r3d8y6b4c1zs/approve'
  assertError(await admin.post(missing), 404, 'APPLICATION_NOT_FOUND')
  const user = await app.user()
  assertError(await user.get('/admin/applications'), 403, 'FORBIDDEN')
  assertError(await user.post(path), 403, 'FORBIDDEN')
})

test('lets one of an application and an account take a handle', async () => {
  const { code } = await makeInvite({ max_uses: 1 })
  const [applied, registered] = await Promise.all([
    register('both', { application: 'Hi' }),
    register('both', { invite_code: code, email: 'both_b@example.test' }),
  ])
  const statuses = [applied?.status, registered?.status]
  assert.ok(
    statuses.join() === '202,409' || statuses.join() === '409,201',
    `statuses ${statuses.join()}`,
  )
})

test('deletes rejected and expired applications after 90 days, and keeps approved ones', async () => {
  await setMode('approval')
  const apply = async (handle: string) =>
    dataOf(await register(handle, { application: 'Hello' }), 202).application
  const [rejected, approved, overdue] = [
    await apply('old_rejected'),
    await apply('old_approved'),
    await apply('old_overdue'),
  ]
  dataOf(await admin.post(`/admin/applications/${rejected.id}/reject`, {}))
  dataOf(await admin.post(`/admin/applications/${approved.id}/approve`, {}))
  const left = async (days: number) => {
    await deleteOldApplications(app.db, Date.parse(overdue.created_at) + days * DAY)
    const rows = await app.sql(
      `select handle from applications where handle like 'old_%' order by id`,
    )
    return valuesOf(rows, 'handle')
  }
  assert.deepEqual(await left(89), ['old_rejected', 'old_approved', 'old_overdue'])
  assert.deepEqual(await left(91), ['old_approved'])
})

test('an application expires after 30 days', async () => {
  const { application } = dataOf(await register('slow', { application: 'Hi' }), 202)
  app.clock.advance(30 * DAY)
  const later = await app.admin()
  const approve = `/admin/applications/${application.id}/approve`
  assertError(await later.post(approve), 409, 'APPLICATION_DECIDED')
  assertError(await login('slow'), 401, 'INVALID_CREDENTIALS')
  const list = dataOf(await later.get('/admin/applications?status=expired')).applications
  assert.ok(idsOf(list).includes(application.id))
  dataOf(await register('slow', { application: 'Again' }), 202)
})

test('bans domains with their subdomains, and networks before the body', async () => {
  const boss = await app.admin()
  const { revision } = dataOf(await boss.get('/admin/site'))
  dataOf(await boss.patch('/admin/site', { revision, registration: 'open' }))
  const ban = (kind: string, value: string, over: object = {}) =>
    boss.post('/admin/bans', { kind, value, ...over })
  const { ban: made } = dataOf(await ban('email_domain', 'Spam.example'), 201)
  assert.deepEqual([made.value, made.until, made.created_by.id], ['spam.example', null, boss.id])
  assertInvalid(await register('spam_a', { email: 'a@spam.example' }), 'email')
  assertInvalid(await register('spam_a', { email: 'a@mail.SPAM.example' }), 'email')
  dataOf(await register('spam_b', { email: 'a@notspam.example' }), 201)
  const user = await app.user()
  const change = { email: 'u@spam.example', current_password: user.password }
  assertInvalid(await user.patch('/auth/me', change), 'email')

  const { ban: net } = dataOf(await ban('network', '203.0.113.77/24'), 201)
  assert.equal(net.value, '203.0.113.0/24')
  const from = (ip: string) => anyone(app.url, { 'x-forwarded-for': ip })
  const inside = from('203.0.113.5')
  assertError(await register('net_a', {}, inside), 403, 'REGISTRATION_CLOSED')
  const raw = await inside.post('/auth/register', undefined, { raw: 'no json' })
  assertError(raw, 403, 'REGISTRATION_CLOSED')
  assertError(await register('net_a', {}, from('::ffff:203.0.113.9')), 403, 'REGISTRATION_CLOSED')
  dataOf(await register('net_a', {}, from('203.0.114.5')), 201)
  dataOf(await ban('network', '2001:db8::/32'), 201)
  assertError(await register('net_b', {}, from('2001:db8:1::1')), 403, 'REGISTRATION_CLOSED')
  dataOf(await register('net_b', {}, from('2001:db9::1')), 201)

  const until = new Date(app.clock.now() + 60_000).toISOString()
  const { ban: changed } = dataOf(await ban('network', '203.0.113.0/24', { until, reason: 'Wave' }))
  assert.deepEqual([changed.id, changed.until, changed.reason], [net.id, until, 'Wave'])
  app.clock.advance(61_000)
  dataOf(await register('net_c', {}, inside), 201)

  const { bans, pagination } = dataOf(await boss.get('/admin/bans'))
  assert.deepEqual([bans.length, pagination.total], [3, 3])
  dataOf(await boss.delete(`/admin/bans/${made.id}`), 204)
  assertError(await boss.delete(`/admin/bans/${made.id}`), 404, 'BAN_NOT_FOUND')
  dataOf(await register('spam_a', { email: 'a@spam.example' }), 201)
  const { audit } = dataOf(await boss.get(`/admin/audit?target=${net.id}`))
  assert.deepEqual(valuesOf(audit, 'action'), ['ban_changed', 'ban_created'])
})

test('rejects bans of wrong values, of this server and of the own address', async () => {
  const boss = await app.admin()
  const ban = (kind: string, value: string, over: object = {}) =>
    boss.post('/admin/bans', { kind, value, ...over })
  for (const value of [
    '203.0.113.1',
    '203.0.113.0/7',
    '203.0.113.0/33',
    '2001:db8::/15',
    '2001:db8::/129',
    '::ffff:203.0.113.0/120',
    '127.0.0.0/8',
    '127.5.0.0/16',
    '::1/128',
    '::/16',
    'example.com',
  ]) {
    assertInvalid(await ban('network', value), 'value')
  }
  const far = anyone(app.url, {
    authorization: `Bearer ${boss.token}`,
    'x-forwarded-for': '198.51.100.7',
  })
  const own = { kind: 'network', value: '198.51.100.0/24' }
  assertInvalid(await far.post('/admin/bans', own), 'value')
  for (const value of ['a b.example', '@example.com', 'example..com']) {
    assertInvalid(await ban('email_domain', value), 'value')
  }
  assertInvalid(await ban('email_domain', 'a.example', { until: '2020-01-01T00:00:00Z' }), 'until')
  assertInvalid(await ban('other', 'a.example'), 'kind')
  const twice = await Promise.all([
    ban('email_domain', 'twice.example'),
    ban('email_domain', 'twice.example'),
  ])
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 201])
  const user = await app.user()
  const body = { kind: 'email_domain', value: 'b.example' }
  assertError(await user.post('/admin/bans', body), 403, 'FORBIDDEN')
  assertError(await user.get('/admin/bans'), 403, 'FORBIDDEN')
  dataOf(await boss.put(`/admin/users/${user.id}/permissions`, { permissions: ['members'] }))
  dataOf(await user.post('/admin/bans', body), 201)
})
