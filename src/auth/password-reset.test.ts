import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { NEW_PASSWORD, startMailing } from '../../test/mailing.ts'
import { assertError, assertInvalid, dataOf, makeLegacyKey, suspend } from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import type { Handle } from '../db/handle.ts'
import { sendPasswordReset } from './password-reset.ts'

const HOUR_MS = 3_600_000
const {
  app,
  smtp,
  mail,
  newAddress,
  askReset,
  signIn,
  confirm,
  verify,
  undo,
  changeEmail,
  mailsTo,
  resetMail,
} = await startMailing()

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

test('limits the requests of one client', async () => {
  const proxied = await startApp({ ...mail, TRUST_PROXY: '1' })
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const ask = () => proxied.anon.post('/auth/password-reset', { identifier: 'nobody' }, { headers })
  for (let i = 0; i < 20; i++) dataOf(await ask(), 202)
  const over = await ask()
  assertError(over, 429, 'RATE_LIMITED')
  assert.ok(Number(over.headers.get('retry-after')) > 3000)
})
