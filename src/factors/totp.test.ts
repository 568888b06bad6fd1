import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, type Answer, startApp } from '../../test/app.ts'
import { enableTotp, otpAt } from '../../test/factors.ts'
import { assertError, assertInvalid, dataOf, valuesOf } from '../../test/make.ts'

const app = await startApp()

function login({ handle }: Pick<Actor, 'handle'>, answer: object = {}, password = PASSWORD) {
  return app.anon.post('/auth/login', { identifier: handle, password, ...answer })
}

async function factorOf(user: Actor) {
  return dataOf(await user.get('/auth/me')).user.second_factor
}

function fieldsOf(answer: Answer) {
  return answer.error?.details?.map(({ field }) => field)
}

async function messagesOf(user: Actor): Promise<string[]> {
  const headers = { 'accept-language': 'en' }
  const { notifications } = dataOf(await user.get('/notifications', { headers }))
  return valuesOf(notifications, 'message')
}

const wrongPassword = { current_password: 'not the password' }
const password = { current_password: PASSWORD }

test('the test helper computes the codes of RFC 6238, appendix B', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  assert.equal(otpAt(secret, 59_000), '287082')
  assert.equal(otpAt(secret, 1_111_111_109_000), '081804')
  assert.equal(otpAt(secret, 20_000_000_000_000), '353130')
})

test('an account starts without a second factor and signs in with the password alone', async () => {
  const user = await app.user()
  assert.deepEqual(await factorOf(user), {
    is_enabled: false,
    methods: [],
    recovery_codes_left: 0,
  })
  // Without a second factor, the login ignores both codes.
  dataOf(await login(user, { otp: 'nothing', recovery_code: 'nothing' }))
})

test('enables TOTP with a first code, and issues recovery codes once', async () => {
  const user = await app.user()
  assertInvalid(await user.post('/auth/totp', wrongPassword), 'current_password')
  assertInvalid(await user.post('/auth/totp', {}), 'current_password')
  assertError(await user.post('/auth/totp/confirm', { otp: '123456' }), 422, 'OTP_INVALID')
  const created = dataOf(await user.post('/auth/totp', password), 201)
  const url = new URL(created.otpauth_url)
  assert.equal(url.protocol, 'otpauth:')
  assert.equal(url.searchParams.get('secret'), created.secret)
  assert.equal(url.searchParams.get('issuer'), 'Plaza')
  assert.equal(url.searchParams.get('algorithm'), 'SHA1')
  assert.equal(`${url.host}${decodeURIComponent(url.pathname)}`, `totp/Plaza:${user.handle}`)

  // The secret is not confirmed yet, so a login needs no code.
  assert.equal((await factorOf(user)).is_enabled, false)
  dataOf(await login(user))
  assert.deepEqual(await messagesOf(user), [])

  const otp = otpAt(created.secret, app.clock.now())
  const wrong = otp === '000000' ? '000001' : '000000'
  assertError(await user.post('/auth/totp/confirm', { otp: wrong }), 422, 'OTP_INVALID')
  assertError(await user.post('/auth/totp/confirm', { otp: 'abc' }), 422, 'OTP_INVALID')
  const confirmed = dataOf(await user.post('/auth/totp/confirm', { otp }))
  assert.equal(confirmed.recovery_codes.length, 10)
  assert.equal(new Set(confirmed.recovery_codes).size, 10)
  const enabled = { is_enabled: true, methods: ['totp'], recovery_codes_left: 10 }
  assert.deepEqual(confirmed.user.second_factor, enabled)
  assert.deepEqual(await factorOf(user), enabled)
  assert.equal((await messagesOf(user)).length, 1)

  assertError(await user.post('/auth/totp', password), 409, 'SECOND_FACTOR_ENABLED')
  assertError(await user.post('/auth/totp/confirm', { otp }), 422, 'OTP_INVALID')
  assert.deepEqual(await factorOf(user), enabled)
})

test('a new secret replaces one that was not confirmed', async () => {
  const user = await app.user()
  const first = dataOf(await user.post('/auth/totp', password), 201).secret
  const second = dataOf(await user.post('/auth/totp', password), 201).secret
  assert.notEqual(first, second)
  const now = app.clock.now()
  assertError(await user.post('/auth/totp/confirm', { otp: otpAt(first, now) }), 422, 'OTP_INVALID')
  dataOf(await user.post('/auth/totp/confirm', { otp: otpAt(second, now) }))
})

test('stores neither the secret nor the recovery codes in plain text', async () => {
  const user = await app.user()
  const { secret } = dataOf(await user.post('/auth/totp', password), 201)
  const otp = otpAt(secret, app.clock.now())
  const { recovery_codes } = dataOf(await user.post('/auth/totp/confirm', { otp }))
  assert.ok(
    String(
      await app.value(`select secret from totp_secrets where user_id = '${user.id}'`),
    ).startsWith('v1.'),
  )
  const rows = await app.sql(`select code_hash from recovery_codes where user_id = '${user.id}'`)
  assert.equal(rows.length, 10)
  for (const { code_hash } of rows) assert.ok(!recovery_codes.includes(code_hash))
})

test('a login needs a code after the password, and names the factors', async () => {
  const user = await app.user()
  const totp = await enableTotp(app, user)
  // A wrong password does not reveal that there is a second factor.
  assertError(await login(user, {}, 'wrong password'), 401, 'INVALID_CREDENTIALS')
  const right = { otp: totp.codeAt(1) }
  assertError(await login(user, right, 'wrong password'), 401, 'INVALID_CREDENTIALS')
  const required = await login(user)
  assertError(required, 401, 'SECOND_FACTOR_REQUIRED')
  assert.deepEqual(fieldsOf(required), ['otp', 'recovery_code'])
  assertError(await login(user, { otp: '' }), 401, 'SECOND_FACTOR_INVALID')
  assertError(await login(user, { otp: 'abcdef' }), 401, 'SECOND_FACTOR_INVALID')
  const signedIn = dataOf(await login(user, right))
  assert.equal(signedIn.user.id, user.id)
  assert.ok(signedIn.tokens.access_token)
})

test('a code works once, also the one that enabled TOTP, with one step of tolerance', async () => {
  const user = await app.user()
  const totp = await enableTotp(app, user)
  assertError(await login(user, { otp: totp.codeAt(0) }), 401, 'SECOND_FACTOR_INVALID')
  assertError(await login(user, { otp: totp.codeAt(2) }), 401, 'SECOND_FACTOR_INVALID')
  assertError(await login(user, { otp: totp.codeAt(-2) }), 401, 'SECOND_FACTOR_INVALID')
  const ahead = totp.codeAt(1)
  dataOf(await login(user, { otp: ahead }))
  dataOf(await login(user, { otp: totp.codeAt(-1) }))
  assertError(await login(user, { otp: ahead }), 401, 'SECOND_FACTOR_INVALID')
  app.clock.advance(30_000)
  assertError(await login(user, { otp: ahead }), 401, 'SECOND_FACTOR_INVALID')
  app.clock.advance(30_000)
  assertError(await login(user, { otp: ahead }), 401, 'SECOND_FACTOR_INVALID')
  const next = totp.next()
  dataOf(await login(user, { otp: `${next.slice(0, 3)} ${next.slice(3)}` }))
})

test('of two simultaneous logins with one code, one gets 200 and one 401', async () => {
  const sibling = await app.sibling()
  const user = await app.user()
  const totp = await enableTotp(app, user)
  for (const answer of [{ otp: totp.codeAt(1) }, { recovery_code: totp.codes[0] }]) {
    const body = { identifier: user.handle, password: PASSWORD, ...answer }
    const answers = await Promise.all([
      app.anon.post('/auth/login', body),
      sibling.anon.post('/auth/login', body),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  }
  assert.equal((await factorOf(user)).recovery_codes_left, 9)
  await sibling.close()
})

test('a recovery code signs in once, in any case and with or without hyphens', async () => {
  const user = await app.user()
  const stranger = await app.user()
  const { codes } = await enableTotp(app, user)
  await enableTotp(app, stranger)
  const [first = '', second = ''] = codes
  assertError(await login(stranger, { recovery_code: first }), 401, 'SECOND_FACTOR_INVALID')
  const { user: after } = dataOf(await login(user, { recovery_code: first }))
  assert.equal(after.second_factor.recovery_codes_left, 9)
  assertError(await login(user, { recovery_code: first }), 401, 'SECOND_FACTOR_INVALID')
  const typed = second.toUpperCase().replaceAll('-', ' ')
  dataOf(await login(user, { recovery_code: typed }))
  assert.equal((await factorOf(user)).recovery_codes_left, 8)
})

test('new recovery codes replace all earlier ones', async () => {
  const user = await app.user()
  const { codes: earlier } = await enableTotp(app, user)
  assertInvalid(await user.post('/auth/recovery-codes', wrongPassword), 'current_password')
  dataOf(await login(user, { recovery_code: earlier[0] }))
  const answer = await user.post('/auth/recovery-codes', password)
  const codes: string[] = dataOf(answer, 201).recovery_codes
  assert.equal(codes.length, 10)
  assert.equal((await factorOf(user)).recovery_codes_left, 10)
  assertError(await login(user, { recovery_code: earlier[1] }), 401, 'SECOND_FACTOR_INVALID')
  dataOf(await login(user, { recovery_code: codes[9] }))
  assert.equal((await messagesOf(user)).length, 2)
})

test('disabling TOTP needs the password, keeps the recovery codes, and can be repeated', async () => {
  const user = await app.user()
  const { codes } = await enableTotp(app, user)
  assertInvalid(await user.post('/auth/totp/disable', wrongPassword), 'current_password')
  assert.equal((await factorOf(user)).is_enabled, true)
  assert.equal((await user.post('/auth/totp/disable', password)).status, 204)
  assert.equal((await user.post('/auth/totp/disable', password)).status, 204)
  assert.deepEqual(await factorOf(user), {
    is_enabled: false,
    methods: [],
    recovery_codes_left: 10,
  })
  assert.equal((await messagesOf(user)).length, 2)
  dataOf(await login(user))
  const { secret } = dataOf(await user.post('/auth/totp', password), 201)
  const otp = otpAt(secret, app.clock.now())
  const confirmed = dataOf(await user.post('/auth/totp/confirm', { otp }))
  assert.equal(confirmed.recovery_codes, null)
  dataOf(await login(user, { recovery_code: codes[0] }))
})

test('wrong codes count as failed logins, missing ones do not', async () => {
  const user = await app.user()
  const totp = await enableTotp(app, user)
  for (let i = 0; i < 12; i++) assertError(await login(user), 401, 'SECOND_FACTOR_REQUIRED')
  for (let i = 0; i < 5; i++) {
    assertError(await login(user, { otp: '000000x' }), 401, 'SECOND_FACTOR_INVALID')
    assertError(await login(user, { recovery_code: 'wrong' }), 401, 'SECOND_FACTOR_INVALID')
  }
  const right = await login(user, { otp: totp.codeAt(1) })
  assertError(right, 429, 'RATE_LIMITED')
  assert.ok(Number(right.headers.get('retry-after')) > 0)
  app.clock.advance(16 * 60_000)
  dataOf(await login(user, { otp: totp.codeAt(0) }))
})

test('a suspended account gets 403 with the reason before its second factor is checked', async () => {
  const [user, admin] = [await app.user(), await app.admin()]
  const { codes } = await enableTotp(app, user)
  const suspend = (body: object) => admin.patch(`/admin/users/${user.id}`, body)
  dataOf(await suspend({ is_suspended: true, reason: 'Advertising' }))
  for (const answer of [{}, { otp: 'wrong' }, { recovery_code: codes[0] }]) {
    const refused = await login(user, answer)
    assertError(refused, 403, 'ACCOUNT_SUSPENDED')
    assert.deepEqual(refused.error?.details, [{ field: 'reason', message: 'Advertising' }])
  }
  assertError(await login(user, {}, 'wrong password'), 401, 'INVALID_CREDENTIALS')
  dataOf(await suspend({ is_suspended: false }))
  dataOf(await login(user, { recovery_code: codes[0] }))
})

test('a replayed response contains no secret, and wrong passwords count also with a key', async () => {
  const user = await app.user()
  const send = (path: string, body: object, key: string) =>
    user.post(path, body, { headers: { 'idempotency-key': key } })
  const first = dataOf(await send('/auth/totp', password, 'one'), 201)
  const replayed = await send('/auth/totp', password, 'one')
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(dataOf(replayed, 201), { secret: null, otpauth_url: null })
  const otp = otpAt(first.secret, app.clock.now())
  assert.equal(dataOf(await send('/auth/totp/confirm', { otp }, 'two')).recovery_codes.length, 10)
  const again = dataOf(await send('/auth/totp/confirm', { otp }, 'two'))
  assert.equal(again.recovery_codes, null)
  assert.equal(again.user.second_factor.is_enabled, true)
  assertInvalid(await send('/auth/recovery-codes', wrongPassword, 'three'), 'current_password')
  const bucket = `password:account:${user.id}`
  assert.equal(Number(await app.value(`select count from attempts where bucket = '${bucket}'`)), 1)
  const codes = dataOf(await send('/auth/recovery-codes', password, 'three'), 201)
  assert.equal(codes.recovery_codes.length, 10)
  const codesAgain = dataOf(await send('/auth/recovery-codes', password, 'three'), 201)
  assert.equal(codesAgain.recovery_codes, null)
})

test('wrong first codes count like wrong passwords, also with a key', async () => {
  const user = await app.user()
  const { secret } = dataOf(await user.post('/auth/totp', password), 201)
  const otp = otpAt(secret, app.clock.now())
  // The row exists, because requesting the secret verified the password.
  await app.sql(`update attempts set count = 98 where bucket = 'password:account:${user.id}'`)
  const confirm = (code: string, headers: Record<string, string> = {}) =>
    user.post('/auth/totp/confirm', { otp: code }, { headers })
  assertError(await confirm('abc'), 422, 'OTP_INVALID')
  assertError(await confirm('abc', { 'idempotency-key': 'guess' }), 422, 'OTP_INVALID')
  assertError(await confirm(otp), 429, 'RATE_LIMITED')
  assertError(await user.post('/auth/recovery-codes', password), 429, 'RATE_LIMITED')
})

const NEW = 'a very new password'

function resetWith({ handle }: Actor, recovery_code: string | undefined, new_password = NEW) {
  const body = { identifier: handle, recovery_code, new_password }
  return app.anon.post('/auth/password-reset/confirm', body)
}

async function codesOf(user: Actor): Promise<string[]> {
  return dataOf(await user.post('/auth/recovery-codes', password), 201).recovery_codes
}

test('a recovery code resets the password once, and ends all sessions', async () => {
  const user = await app.user()
  const codes = await codesOf(user)
  assertInvalid(await resetWith(user, codes[0], 'password'), 'new_password')
  assertInvalid(
    await app.anon.post('/auth/password-reset/confirm', {
      recovery_code: codes[0],
      new_password: NEW,
    }),
    'identifier',
  )
  const answers = await Promise.all([resetWith(user, codes[0]), resetWith(user, codes[0])])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422])
  assert.equal((await user.get('/auth/me')).status, 401)
  assertError(await login(user), 401, 'INVALID_CREDENTIALS')
  const { second_factor } = dataOf(await login(user, {}, NEW)).user
  assert.equal(second_factor.recovery_codes_left, 9)
})

test('no recovery code resets the password of an account that has a second factor or is suspended', async () => {
  const [user, suspended, admin] = [await app.user(), await app.user(), await app.admin()]
  const totp = await enableTotp(app, user)
  assertError(await resetWith(user, totp.codes[0]), 422, 'TOKEN_INVALID')
  dataOf(await login(user, { recovery_code: totp.codes[0] }))
  const codes = await codesOf(suspended)
  dataOf(await admin.patch(`/admin/users/${suspended.id}`, { is_suspended: true }))
  assertError(await resetWith(suspended, codes[0]), 422, 'TOKEN_INVALID')
  assertError(await login(suspended), 403, 'ACCOUNT_SUSPENDED')
})

test('wrong recovery codes of a reset count as failed logins', async () => {
  const user = await app.user()
  const codes = await codesOf(user)
  for (let i = 0; i < 10; i++) assertError(await resetWith(user, 'wrong'), 422, 'TOKEN_INVALID')
  assertError(await resetWith(user, codes[0]), 429, 'RATE_LIMITED')
  assertError(await login(user), 429, 'RATE_LIMITED')
})
