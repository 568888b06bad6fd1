import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Answer, startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { assertError, assertInvalid, dataOf, makeLegacyKey, suspend } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { startSmtp } from '../../test/smtp.ts'
import type { Handle } from '../db/handle.ts'
import { sendPasswordReset } from './password-reset.ts'

const NEW_PASSWORD = 'a new walk by the river 7'
const HOUR_MS = 3_600_000
const smtp = await startSmtp()
const mail = {
  SMTP_URL: smtp.url,
  MAIL_FROM: 'post@plaza.test',
  PUBLIC_URL: 'https://plaza.test',
}
const app = await startApp(mail)

let made = 0
const newAddress = () => `address${++made}@example.test`

const signIn = (identifier: string, password: string, headers: Record<string, string> = {}) =>
  app.anon.post('/auth/login', { identifier, password }, { headers })
const askReset = (identifier: string) => app.anon.post('/auth/password-reset', { identifier })
const confirm = (token: string, new_password = NEW_PASSWORD) =>
  app.anon.post('/auth/password-reset/confirm', { token, new_password })
const verify = (token: string) => app.anon.post('/auth/email/verify', { token })
const undo = (token: string) => app.anon.post('/auth/email/undo', { token })
const changeEmail = (user: Actor, email: string) =>
  user.patch('/auth/me', { email, current_password: user.password })
const accountOf = async (user: Actor) => dataOf(await user.get('/auth/me')).user

async function verified(): Promise<Actor> {
  const user = await app.user()
  await app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
  return user
}

function mailsTo(address: string) {
  return smtp.mails.filter((received) => received.to === address)
}

async function register(
  over: Record<string, unknown> = {},
): Promise<{ answer: Answer; email: string }> {
  const email = newAddress()
  const body = { handle: `reg_${++made}`, email, password: NEW_PASSWORD, ...over }
  const captcha_token = await captchaToken(app.anon)
  return { answer: await app.anon.post('/auth/register', { ...body, captcha_token }), email }
}

async function resetMail(user: Actor, count = 1) {
  dataOf(await askReset(user.handle), 202)
  return smtp.to(user.email, count)
}

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

test('stores no token and no link in plain text', async () => {
  const user = await app.user()
  const { token } = await resetMail(user)
  const rows = JSON.stringify([
    await app.sql('select * from mail_tokens'),
    await app.sql('select * from mails'),
  ])
  assert.ok(!rows.includes(token))
})

test('resets the password, ends all sessions, keeps API keys, and reports it', async () => {
  const user = await app.user()
  const key = await makeLegacyKey(user)
  const { token, link, headers } = await resetMail(user)
  assert.match(link, /^https:\/\/plaza\.test\/reset-password#token=/)
  assert.equal(headers['subject'], '새 비밀번호를 정해 주세요')
  assert.equal((await confirm(token)).status, 204)
  assertError(await user.get('/auth/me'), 401, 'UNAUTHORIZED')
  const refreshed = await app.anon.post('/auth/refresh', { refresh_token: user.refreshToken })
  assertError(refreshed, 401, 'UNAUTHORIZED')
  assertError(await signIn(user.handle, user.password), 401, 'INVALID_CREDENTIALS')
  const { user: account, tokens } = dataOf(await signIn(user.handle, NEW_PASSWORD))
  assert.equal(account.email_verified, true)
  const content = { category: 'hype', type: 'image', title: 'By a key' }
  const byKey = await app.anon.post('/contents', content, { headers: { 'x-api-key': key.raw_key } })
  dataOf(byKey, 201)
  const changed = await smtp.find(
    ({ to, headers: { subject } }) => to === user.email && /바뀌었어요/.test(subject ?? ''),
  )
  assert.match(changed.text, /API 키는 1개/)
  const authorization = `Bearer ${tokens.access_token}`
  const { notifications } = dataOf(
    await app.anon.get('/notifications', { headers: { authorization } }),
  )
  assert.equal(notifications.length, 1)
  assert.deepEqual([notifications[0].type, notifications[0].link], ['system', '/account'])
})

test('refuses wrong, used, expired and replaced reset tokens, and those of other purposes', async () => {
  const user = await app.user()
  const first = await resetMail(user)
  const second = await resetMail(user, 2)
  assertError(await confirm(first.token), 422, 'TOKEN_INVALID')
  assertError(await confirm(`${second.token}x`), 422, 'TOKEN_INVALID')
  assertError(await verify(second.token), 422, 'TOKEN_INVALID')
  assertError(await undo(second.token), 422, 'TOKEN_INVALID')
  assert.equal((await confirm(second.token)).status, 204)
  assertError(await confirm(second.token), 422, 'TOKEN_INVALID')
  const otherUser = await app.user()
  const { token } = await resetMail(otherUser)
  app.clock.advance(HOUR_MS)
  assertError(await confirm(token), 422, 'TOKEN_INVALID')
  dataOf(await signIn(otherUser.handle, otherUser.password))
})

test('keeps the token good after a weak password', async () => {
  const user = await app.user()
  const { token } = await resetMail(user)
  assertInvalid(await confirm(token, 'short'), 'new_password')
  assertInvalid(await confirm(token, 'password123'), 'new_password')
  assert.equal((await confirm(token)).status, 204)
})

test('of two confirmations of one token, one succeeds', async () => {
  const user = await app.user()
  const { token } = await resetMail(user)
  const answers = await Promise.all([confirm(token), confirm(token, `${NEW_PASSWORD} too`)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 422])
})

test('answers the same for known, unknown and suspended accounts, and mails only the known one', async () => {
  const [known, suspended] = [await app.user(), await app.user()]
  await suspend(app, suspended)
  const unknown = newAddress()
  const answers = []
  for (const identifier of [known.email, suspended.email, unknown])
    answers.push(await askReset(identifier))
  for (const answer of answers) assert.deepEqual(dataOf(answer, 202), {})
  await smtp.to(known.email)
  await until(
    async () => (await app.sql(`select id from mails where to_address = ''`)).length === 0,
    'all',
  )
  assert.deepEqual([...mailsTo(suspended.email), ...mailsTo(unknown)], [])
  assert.deepEqual(await app.sql(`select * from mail_tokens where user_id = '${suspended.id}'`), [])
})

test('looks up no account before the response, so that its time reveals none', async () => {
  const user = await app.user()
  await app.deps.mails.close()
  dataOf(await askReset(user.email), 202)
  dataOf(await askReset(newAddress()), 202)
  const rows = await app.sql(`select user_id, params, sealed from mails where status = 'pending'`)
  assert.equal(rows.length, 2)
  for (const row of rows) {
    assert.deepEqual([row['user_id'], row['params']], [null, '{}'])
    assert.match(String(row['sealed']), /^v1\./)
  }
  assert.deepEqual(await app.sql(`select * from mail_tokens where user_id = '${user.id}'`), [])
  await app.sibling()
  await smtp.to(user.email)
})

test('runs the same statements for known and unknown accounts', async () => {
  const known = await app.user()
  const statementsFor = async (identifier: string) => {
    const run: string[] = []
    const noting = (handle: Handle): Handle =>
      new Proxy(handle, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            const [first] = given
            if (name !== 'transaction') run.push(String(name), describeStatement(first))
            else given[0] = (tx: Handle) => (first as (tx: Handle) => unknown)(noting(tx))
            return (value as (...args: unknown[]) => unknown).apply(target, given)
          }
        },
      })
    const client = { ip: '203.0.113.77', isForwarded: true, language: 'en' } as const
    await sendPasswordReset(noting(app.db), app.deps.config, identifier, client, app.clock.now())
    return run
  }
  const describeStatement = (value: unknown) =>
    typeof value === 'object' && value !== null && 'compiled' in value
      ? (value as { compiled(engine: string): { sql: string } }).compiled(app.db.engine).sql
      : ''
  const forKnown = await statementsFor(known.email)
  assert.deepEqual(await statementsFor(newAddress()), forKnown)
  assert.ok(forKnown.some((sql) => /insert into "?mails/.test(sql)))
  assert.ok(!forKnown.some((sql) => /"?users"?/.test(sql)))
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

test('refuses a token of an account that was suspended since', async () => {
  const user = await app.user()
  const { token } = await resetMail(user)
  await suspend(app, user)
  assertError(await confirm(token), 422, 'TOKEN_INVALID')
  await suspend(app, user, false)
  assert.equal((await confirm(token)).status, 204)
})

test('sends an account at most five mails of a kind an hour', async () => {
  const user = await app.user()
  for (let i = 0; i < 7; i++) dataOf(await askReset(user.handle), 202)
  for (let i = 0; i < 7; i++) dataOf(await user.post('/auth/email/verification'), 202)
  await smtp.to(user.email, 10)
  await until(
    async () =>
      (await app.sql(`select id from mails where status = 'pending' and to_address = ''`))
        .length === 0,
    'all',
  )
  assert.equal(mailsTo(user.email).length, 10)
  app.clock.advance(HOUR_MS)
  dataOf(await askReset(user.handle), 202)
  await smtp.to(user.email, 11)
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

test('a change of address or password makes an earlier reset link useless', async () => {
  const moved = await app.user()
  const { token } = await resetMail(moved)
  dataOf(await changeEmail(moved, newAddress()))
  assertError(await confirm(token), 422, 'TOKEN_INVALID')
  const changed = await app.user()
  const second = await resetMail(changed)
  dataOf(
    await changed.patch('/auth/me', {
      current_password: changed.password,
      new_password: NEW_PASSWORD,
    }),
  )
  assertError(await confirm(second.token), 422, 'TOKEN_INVALID')
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

test('limits the requests of one client', async () => {
  const proxied = await startApp({ ...mail, TRUST_PROXY: '1' })
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const ask = () => proxied.anon.post('/auth/password-reset', { identifier: 'nobody' }, { headers })
  for (let i = 0; i < 20; i++) dataOf(await ask(), 202)
  const over = await ask()
  assertError(over, 429, 'RATE_LIMITED')
  assert.ok(Number(over.headers.get('retry-after')) > 3000)
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
