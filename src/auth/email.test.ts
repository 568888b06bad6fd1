import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { NEW_PASSWORD, startMailing } from '../../test/mailing.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'

const HOUR_MS = 3_600_000
const {
  app,
  smtp,
  newAddress,
  signIn,
  confirm,
  verify,
  undo,
  changeEmail,
  verified,
  mailsTo,
  register,
} = await startMailing()
const accountOf = async (user: Actor) => dataOf(await user.get('/auth/me')).user

test('registers with a verification mail, whose link verifies the address once', async () => {
  const { answer, email } = await register()
  const { user, tokens } = dataOf(answer, 201)
  assert.deepEqual(
    [user.email_verified, user.pending_email, user.sign_in_alerts],
    [false, null, true],
  )
  const { link, token } = await smtp.to(email)
  assert.match(link, /^https:\/\/plaza\.test\/verify-email#token=[\w-]{43}$/)
  assert.equal((await verify(token)).status, 204)
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  assert.equal(dataOf(await app.anon.get('/auth/me', { headers })).user.email_verified, true)
  assertError(await verify(token), 422, 'TOKEN_INVALID')
  assertError(
    await app.anon.post('/auth/email/verification', {}, { headers }),
    409,
    'EMAIL_ALREADY_VERIFIED',
  )
  assert.equal(mailsTo(email).length, 1)
})

test('reserves an address that its user leaves, also from a registration at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await verified()
    const [changed, { answer }] = await Promise.all([
      changeEmail(user, newAddress()),
      register({ email: user.email }),
    ])
    dataOf(changed)
    assertError(answer, 409, 'EMAIL_TAKEN')
  }
})

test('changes the address at once, unverified, and lets the old one undo it', async () => {
  const user = await verified()
  const email = newAddress()
  const { user: changed } = dataOf(await changeEmail(user, email))
  assert.deepEqual(
    [changed.email, changed.email_verified, changed.pending_email],
    [email, false, null],
  )
  const verification = await smtp.to(email)
  const { link, token, text } = await smtp.to(user.email)
  assert.match(link, /^https:\/\/plaza\.test\/undo-email#token=/)
  assert.ok(text.includes(email))
  const taken = await register({ email: user.email.toUpperCase() })
  assertError(taken.answer, 409, 'EMAIL_TAKEN')
  const otherUser = await app.user()
  assertError(await changeEmail(otherUser, user.email), 409, 'EMAIL_TAKEN')

  assert.equal((await undo(token)).status, 204)
  assertError(await user.get('/auth/me'), 401, 'UNAUTHORIZED')
  assertError(await verify(verification.token), 422, 'TOKEN_INVALID')
  const reset = await smtp.to(user.email, 2)
  assert.match(reset.link, /\/reset-password#token=/)
  assert.equal((await confirm(reset.token)).status, 204)
  const { user: restored } = dataOf(await signIn(user.email, NEW_PASSWORD))
  assert.deepEqual([restored.email, restored.email_verified], [user.email, true])
  assertError(await undo(token), 422, 'TOKEN_INVALID')
})

test('frees the earlier address when the undo link has expired', async () => {
  const user = await verified()
  dataOf(await changeEmail(user, newAddress()))
  const { token } = await smtp.to(user.email)
  app.clock.advance(604_800_000)
  assertError(await undo(token), 422, 'TOKEN_INVALID')
  dataOf((await register({ email: user.email })).answer, 201)
})

test('lets a user return to the reserved address of their own', async () => {
  const user = await verified()
  dataOf(await changeEmail(user, newAddress()))
  assert.equal(dataOf(await changeEmail(user, user.email)).user.email, user.email)
})

test('sends no undo link to an address that was never verified', async () => {
  const user = await app.user()
  const email = newAddress()
  dataOf(await changeEmail(user, email))
  await smtp.to(email)
  assert.deepEqual(mailsTo(user.email), [])
})

test('mails a user about a new device, never about the first session or a known one', async () => {
  const user = await verified()
  const chrome = { 'user-agent': 'Chrome on a new laptop', 'accept-language': 'en' }
  dataOf(await signIn(user.handle, user.password, chrome))
  const alert = await smtp.to(user.email)
  assert.equal(alert.headers['subject'], 'New sign-in to your account')
  assert.match(alert.text, /Device: Chrome on a new laptop\nIP address: 127\.0\.0\.1/)
  dataOf(await signIn(user.handle, user.password, chrome))
  await app.sql(`delete from sessions where user_id = '${user.id}'`)
  dataOf(await signIn(user.handle, user.password, chrome))
  assertError(
    await signIn(user.handle, 'wrong password', { 'user-agent': 'Thief' }),
    401,
    'INVALID_CREDENTIALS',
  )
  await app.sql(`update users set last_seen_at = null where id = '${user.id}'`)
  dataOf(await signIn(user.handle, user.password, { 'user-agent': 'First ever' }))
  await app.sql(`delete from sessions where user_id = '${user.id}'`)
  app.clock.advance(91 * 24 * HOUR_MS)
  dataOf(await signIn(user.handle, user.password, chrome))
  await smtp.to(user.email, 2)
  assert.equal(mailsTo(user.email).length, 2)
})

test('sends no sign-in alert to a user who switched it off, or to an unverified address', async () => {
  const [unalerted, unverified] = [await verified(), await app.user()]
  assert.equal(
    dataOf(await unalerted.patch('/auth/me', { sign_in_alerts: false })).user.sign_in_alerts,
    false,
  )
  assert.equal((await accountOf(unalerted)).sign_in_alerts, false)
  for (const user of [unalerted, unverified]) {
    dataOf(await signIn(user.handle, user.password, { 'user-agent': 'Another one' }))
  }
  const rows = await app.sql(
    `select id from mails where user_id in ('${unalerted.id}', '${unverified.id}')`,
  )
  assert.deepEqual(rows, [])
})

test('mails about a password change to a verified address', async () => {
  const user = await verified()
  const change = { current_password: user.password, new_password: NEW_PASSWORD }
  dataOf(await user.patch('/auth/me', change, { headers: { 'accept-language': 'en' } }))
  const { headers, text } = await smtp.to(user.email)
  assert.equal(headers['subject'], 'Your password was changed')
  assert.match(text, /https:\/\/plaza\.test\/forgot-password/)
})

test('refuses addresses with control characters', async () => {
  const { answer } = await register({ email: 'a\u0001b@example.test' })
  assertInvalid(answer, 'email')
})

test('without a mail server nothing is sent, and the routes say so', async () => {
  const quiet = await startApp()
  const user = await quiet.user()
  assertError(await quiet.anon.post('/auth/password-reset', {}), 503, 'MAIL_NOT_CONFIGURED')
  assertError(await user.post('/auth/email/verification'), 503, 'MAIL_NOT_CONFIGURED')
  const body = { email: newAddress(), current_password: user.password }
  const { user: changed } = dataOf(await user.patch('/auth/me', body))
  assert.deepEqual([changed.email, changed.email_verified], [body.email, false])
  assert.deepEqual(await quiet.sql('select * from mails'), [])
  assert.deepEqual(await quiet.sql('select * from mail_tokens'), [])
})
