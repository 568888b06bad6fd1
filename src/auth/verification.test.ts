import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor } from '../../test/app.ts'
import { assertError, dataOf, makeLegacyKey } from '../../test/make.ts'
import { openAccount } from '../cli/user.ts'
import { startMailing } from '../../test/mailing.ts'

const { app, smtp, newAddress, verify, undo, changeEmail, verified, mailsTo } = await startMailing({
  EMAIL_VERIFICATION: 'required',
})
const input = { category: 'hype', type: 'image', title: 'A work' }
const accountOf = async (user: Actor) => dataOf(await user.get('/auth/me')).user

test('an unverified user can read and use the account, and write nothing else', async () => {
  const [user, verifiedUser] = [await app.user(), await verified()]
  const { content } = dataOf(await verifiedUser.post('/contents', input), 201)
  dataOf(await user.get(`/contents/${content.id}`))
  dataOf(await user.get('/notifications'))
  dataOf(await user.patch('/auth/me', { bio: 'Hello' }))
  for (const [method, path] of [
    ['POST', '/contents'],
    ['POST', '/posts'],
    ['POST', `/contents/${content.id}/like`],
    ['PUT', `/contents/${content.id}/like`],
    ['DELETE', `/contents/${content.id}/like`],
    ['POST', `/creators/${verifiedUser.handle}/follow`],
    ['POST', '/developer/keys'],
    ['POST', '/notifications/read-all'],
  ] as const) {
    // Sends no body, because the server checks for a verified address before it reads the body.
    assertError(await user.request(method, path), 403, 'EMAIL_NOT_VERIFIED')
  }
  assert.deepEqual(await app.sql(`select * from likes where user_id = '${user.id}'`), [])
  assertError(await app.anon.post('/contents', input), 401, 'UNAUTHORIZED')
  assertError(await user.patch(`/admin/users/${verifiedUser.id}`, {}), 403, 'FORBIDDEN')
})

test('keys of an unverified user write nothing, and work again after the verification', async () => {
  const user = await verified()
  const { raw_key } = await makeLegacyKey(user)
  const publish = () => app.anon.post('/contents', input, { headers: { 'x-api-key': raw_key } })
  await app.sql(`update users set email_verified = 0 where id = '${user.id}'`)
  assertError(await publish(), 403, 'EMAIL_NOT_VERIFIED')
  dataOf(await user.post('/auth/email/verification'), 202)
  assert.equal((await verify((await smtp.to(user.email)).token)).status, 204)
  dataOf(await publish(), 201)
  dataOf(await user.post('/contents', input), 201)
})

test('admins and accounts of the operator are verified', async () => {
  const admin = await app.admin()
  assert.equal((await accountOf(admin)).email_verified, true)
  dataOf(await admin.post('/posts', { body: 'Hello' }), 201)
  const account = { handle: 'by_operator', email: newAddress(), password: 'a long walk by 7' }
  const { id } = await openAccount(app.db, app.deps.config, account, 'user')
  assert.equal(Number(await app.value(`select email_verified from users where id = '${id}'`)), 1)
  const user = await app.user()
  dataOf(await admin.patch(`/admin/users/${user.id}`, { role: 'admin' }))
  assert.equal((await accountOf(user)).email_verified, true)
})

test('a new address waits until it is verified, and reserves nothing', async () => {
  const user = await verified()
  const email = newAddress()
  const { user: waiting } = dataOf(await changeEmail(user, email))
  assert.deepEqual(
    [waiting.email, waiting.email_verified, waiting.pending_email],
    [user.email, true, email],
  )
  dataOf(await user.post('/posts', { body: 'Still verified' }), 201)
  const { token } = await smtp.to(email)
  const newOwner = await verified()
  dataOf(await changeEmail(newOwner, email))
  const second = await smtp.to(email, 2)
  assert.equal((await verify(token)).status, 204)
  const moved = await accountOf(user)
  assert.deepEqual([moved.email, moved.email_verified, moved.pending_email], [email, true, null])
  assertError(await verify(second.token), 409, 'EMAIL_TAKEN')
  assert.deepEqual((await accountOf(newOwner)).email, newOwner.email)
  const signedIn = await app.anon.post('/auth/login', {
    identifier: email,
    password: user.password,
  })
  dataOf(signedIn)
})

test('of two users who verify the same address at once, one gets it', async () => {
  const users = [await verified(), await verified()]
  const email = newAddress()
  const tokens: string[] = []
  for (const [index, user] of users.entries()) {
    dataOf(await changeEmail(user, email))
    tokens.push((await smtp.to(email, index + 1)).token)
  }
  const answers = await Promise.all(tokens.map(verify))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409])
})

test('null cancels a change, whose link is then useless', async () => {
  const user = await verified()
  const email = newAddress()
  dataOf(await changeEmail(user, email))
  const { token } = await smtp.to(email)
  const { user: unchanged } = dataOf(await user.patch('/auth/me', { pending_email: null }))
  assert.deepEqual([unchanged.email, unchanged.pending_email], [user.email, null])
  assertError(await verify(token), 422, 'TOKEN_INVALID')
  assertError(await user.post('/auth/email/verification'), 409, 'EMAIL_ALREADY_VERIFIED')
})

test('the old address can undo a change before and after it is complete', async () => {
  for (const isComplete of [false, true]) {
    const user = await verified()
    const email = newAddress()
    dataOf(await changeEmail(user, email))
    const { token } = await smtp.to(user.email)
    const pending = (await smtp.to(email)).token
    if (isComplete) assert.equal((await verify(pending)).status, 204)
    assert.equal((await undo(token)).status, 204)
    assertError(await user.get('/auth/me'), 401, 'UNAUTHORIZED')
    assertError(await verify(pending), 422, 'TOKEN_INVALID')
    const [row] = await app.sql(`select * from users where id = '${user.id}'`)
    assert.deepEqual(
      [row?.['email'], Number(row?.['email_verified']), row?.['pending_email']],
      [user.email, 1, null],
    )
    assert.match((await smtp.to(user.email, 2)).link, /reset-password/)
  }
})

test('the verification goes to the pending address, and resending replaces the link', async () => {
  const user = await app.user()
  const email = newAddress()
  dataOf(await changeEmail(user, email))
  const first = await smtp.to(email)
  dataOf(await user.post('/auth/email/verification'), 202)
  const second = await smtp.to(email, 2)
  assertError(await verify(first.token), 422, 'TOKEN_INVALID')
  assert.equal((await verify(second.token)).status, 204)
  assert.deepEqual(mailsTo(user.email), [])
  assert.equal((await accountOf(user)).email, email)
})

test('the site says that it sends mail and requires verified addresses', async () => {
  const { site } = dataOf(await app.anon.get('/site'))
  assert.deepEqual([site.mail_configured, site.email_verification], [true, 'required'])
})
