import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, startApp, type TestApp } from '../../test/app.ts'
import { Authenticator, type Faults } from '../../test/authenticator.ts'
import { addPasskey, creationOptions, enableTotp, requestOptions } from '../../test/factors.ts'
import { assertError, assertInvalid, dataOf, idsOf, valuesOf } from '../../test/make.ts'
import { startSmtp } from '../../test/smtp.ts'
import { deleteExpiredChallenges } from './queries.ts'
import { removeFactors } from './rules.ts'

const ORIGIN = 'https://plaza.test'
const smtp = await startSmtp()
const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'Plaza <post@plaza.test>' }
const app = published(await startApp(mail))
const password = { current_password: PASSWORD }
const wrongPassword = { current_password: 'not the password' }

/**
 * Sets PUBLIC_URL after the start. If it were set at the start, the tests would send their requests to that
 * address.
 */
function published(started: TestApp): TestApp {
  started.deps.config.publicUrl = ORIGIN
  return started
}

function login(user: Actor, answer: object = {}) {
  return app.anon.post('/auth/login', { identifier: user.handle, password: PASSWORD, ...answer })
}

function signIn(credential: object) {
  return app.anon.post('/auth/login/passkey', { credential })
}

async function answerOf(authenticator: Authenticator, faults: Faults = {}) {
  return authenticator.get(await requestOptions(app.anon), faults)
}

async function factorOf(user: Actor) {
  return dataOf(await user.get('/auth/me')).user.second_factor
}

async function passkeysOf(user: Actor) {
  return dataOf(await user.get('/auth/passkeys')).passkeys
}

test('adds a passkey, which is a second factor, and issues recovery codes once', async () => {
  const user = await app.user()
  assertInvalid(await user.post('/auth/passkeys/options', wrongPassword), 'current_password')
  const answer = dataOf(await user.post('/auth/passkeys/options', password))
  assert.equal(answer.expires_in, 300)
  const { options } = answer
  assert.deepEqual(options.rp, { id: 'plaza.test', name: 'Plaza' })
  assert.equal(options.authenticatorSelection.residentKey, 'required')
  assert.equal(options.authenticatorSelection.userVerification, 'required')
  assert.equal(options.user.name, user.handle)

  const phone = new Authenticator(ORIGIN, { isSynced: true })
  const body = { name: ' My phone ', credential: phone.create(options) }
  const created = dataOf(await user.post('/auth/passkeys', body), 201)
  assert.equal(created.passkey.name, 'My phone')
  assert.equal(created.passkey.is_synced, true)
  assert.equal(created.passkey.last_used_at, null)
  assert.equal(created.recovery_codes.length, 10)
  assert.deepEqual(await passkeysOf(user), [created.passkey])
  assert.deepEqual(await factorOf(user), {
    is_enabled: true,
    methods: ['passkey'],
    recovery_codes_left: 10,
  })

  const second = await addPasskey(user, ORIGIN, 'A key')
  assert.equal(second.codes, null)
  assert.equal(second.passkey.is_synced, false)
  assert.equal((await passkeysOf(user)).length, 2)
  const excluded = (await creationOptions(user)).excludeCredentials
  assert.deepEqual(idsOf(excluded), [phone.id, second.authenticator.id])
})

test('signs in with a passkey alone, and again with a new challenge', async () => {
  const user = await app.user()
  const { authenticator, passkey } = await addPasskey(user, ORIGIN)
  const options = await requestOptions(app.anon)
  assert.equal(options.rpId, 'plaza.test')
  assert.equal(options.userVerification, 'required')
  assert.ok(!options.allowCredentials?.length)
  const signedIn = dataOf(await signIn(authenticator.get(options)))
  assert.equal(signedIn.user.id, user.id)
  assert.ok(signedIn.tokens.access_token && signedIn.tokens.refresh_token)
  const [used] = await passkeysOf(user)
  assert.equal(used.id, passkey.id)
  assert.ok(used.last_used_at)
  dataOf(await signIn(await answerOf(authenticator)))
})

test('a login with the password names the passkey and the recovery codes', async () => {
  const user = await app.user()
  const { codes } = await addPasskey(user, ORIGIN)
  const required = await login(user)
  assertError(required, 401, 'SECOND_FACTOR_REQUIRED')
  const fields = required.error?.details?.map(({ field }) => field)
  assert.deepEqual(fields, ['passkey', 'recovery_code'])
  assertError(await login(user, { otp: '123456' }), 401, 'SECOND_FACTOR_INVALID')
  dataOf(await login(user, { recovery_code: codes?.[0] }))
})

test('rejects faulty answers of a sign-in, which count as failed logins', async () => {
  const user = await app.user()
  const otherUser = await app.user()
  const { authenticator } = await addPasskey(user, ORIGIN)
  const stranger = new Authenticator(ORIGIN)
  stranger.create(await creationOptions(otherUser))
  const registration = await creationOptions(user)
  const faults: Faults[] = [
    { origin: 'https://evil.test' },
    { origin: 'http://plaza.test' },
    { rpId: 'evil.test' },
    { unverified: true },
    { forged: true },
    { challenge: Buffer.alloc(54).toString('base64url') },
    { challenge: 'x' },
    { challenge: registration.challenge },
    { userHandle: Buffer.from(otherUser.id).toString('base64url') },
  ]
  for (const fault of faults) {
    const answer = await signIn(await answerOf(authenticator, fault))
    assertError(answer, 401, 'INVALID_CREDENTIALS')
  }
  assertError(await signIn(await answerOf(stranger)), 401, 'INVALID_CREDENTIALS')
  assertInvalid(await signIn({}), 'credential.id')
  dataOf(await signIn(await answerOf(authenticator)))
  const expired = await answerOf(authenticator)
  app.clock.advance(301_000)
  assertError(await signIn(expired), 401, 'INVALID_CREDENTIALS')
  assertError(await signIn(await answerOf(authenticator)), 429, 'RATE_LIMITED')
  assertError(await login(user), 429, 'RATE_LIMITED')
})

test('a challenge works once, also for two processes at the same time', async () => {
  const sibling = published(await app.sibling())
  const user = await app.user()
  const { authenticator } = await addPasskey(user, ORIGIN)
  const credential = await answerOf(authenticator)
  const answers = await Promise.all([
    signIn(credential),
    sibling.anon.post('/auth/login/passkey', { credential }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  assertError(await signIn(credential), 401, 'INVALID_CREDENTIALS')
  await sibling.close()
})

test('rejects a signature counter that goes back, as that of a copied authenticator does', async () => {
  const user = await app.user()
  const { authenticator } = await addPasskey(user, ORIGIN)
  dataOf(await signIn(await answerOf(authenticator, { counter: 7 })))
  assertError(
    await signIn(await answerOf(authenticator, { counter: 7 })),
    401,
    'INVALID_CREDENTIALS',
  )
  dataOf(await signIn(await answerOf(authenticator, { counter: 8 })))
})

test('a suspended account gets 403 with the reason, after its passkey was checked', async () => {
  const [user, admin] = [await app.user(), await app.admin()]
  const { authenticator } = await addPasskey(user, ORIGIN)
  const suspension = { is_suspended: true, reason: 'Advertising' }
  dataOf(await admin.patch(`/admin/users/${user.id}`, suspension))
  const refused = await signIn(await answerOf(authenticator))
  assertError(refused, 403, 'ACCOUNT_SUSPENDED')
  assert.deepEqual(refused.error?.details, [{ field: 'reason', message: 'Advertising' }])
  const forged = await signIn(await answerOf(authenticator, { forged: true }))
  assertError(forged, 401, 'INVALID_CREDENTIALS')
})

test('rejects bad, expired, used and already registered answers of a new passkey', async () => {
  const [user, otherUser] = [await app.user(), await app.user()]
  const add = (by: Actor, credential: object) =>
    by.post('/auth/passkeys', { name: 'A phone', credential })
  const faults: Faults[] = [
    { origin: 'https://evil.test' },
    { rpId: 'evil.test' },
    { unverified: true },
    { challenge: (await requestOptions(app.anon)).challenge },
    { challenge: (await creationOptions(otherUser)).challenge },
  ]
  for (const fault of faults) {
    const credential = new Authenticator(ORIGIN).create(await creationOptions(user), fault)
    assertError(await add(user, credential), 422, 'PASSKEY_INVALID')
  }
  const options = await creationOptions(user)
  const phone = new Authenticator(ORIGIN)
  const credential = phone.create(options)
  const broken = { ...credential, response: { ...credential.response, attestationObject: 'oA' } }
  assertError(await add(user, broken), 422, 'PASSKEY_INVALID')
  assertInvalid(await user.post('/auth/passkeys', { name: '', credential }), 'name')
  assertInvalid(await user.post('/auth/passkeys', { name: 'x'.repeat(51), credential }), 'name')
  assert.deepEqual(await passkeysOf(user), [])
  dataOf(await add(user, credential), 201)

  assertError(await add(user, credential), 422, 'PASSKEY_INVALID')
  assertError(await add(user, new Authenticator(ORIGIN).create(options)), 422, 'PASSKEY_INVALID')
  assertError(await add(user, phone.create(await creationOptions(user))), 422, 'PASSKEY_INVALID')
  assertError(
    await add(otherUser, phone.create(await creationOptions(otherUser))),
    422,
    'PASSKEY_INVALID',
  )
  const late = new Authenticator(ORIGIN).create(await creationOptions(user))
  app.clock.advance(301_000)
  assertError(await add(user, late), 422, 'PASSKEY_INVALID')
  assert.equal((await passkeysOf(user)).length, 1)
  assert.deepEqual(await passkeysOf(otherUser), [])
})

test('renames and removes own passkeys only; the last one ends the second factor', async () => {
  const [user, otherUser] = [await app.user(), await app.user()]
  const { passkey, authenticator } = await addPasskey(user, ORIGIN)
  const path = `/auth/passkeys/${passkey.id}`
  assertError(await otherUser.patch(path, { name: 'Mine' }), 404, 'PASSKEY_NOT_FOUND')
  assertError(await otherUser.post(`${path}/remove`, password), 404, 'PASSKEY_NOT_FOUND')
  assertError(await user.patch('/auth/passkeys/nothing', { name: 'A' }), 404, 'PASSKEY_NOT_FOUND')
  const renamed = dataOf(await user.patch(path, { name: 'Old phone' })).passkey
  assert.deepEqual(renamed, { ...passkey, name: 'Old phone' })
  assertInvalid(await user.post(`${path}/remove`, wrongPassword), 'current_password')
  assert.equal((await passkeysOf(user)).length, 1)
  assert.equal((await user.post(`${path}/remove`, password)).status, 204)
  assertError(await user.post(`${path}/remove`, password), 404, 'PASSKEY_NOT_FOUND')
  assert.deepEqual(await passkeysOf(user), [])
  const { is_enabled, recovery_codes_left } = await factorOf(user)
  assert.deepEqual([is_enabled, recovery_codes_left], [false, 10])
  assertError(await signIn(await answerOf(authenticator)), 401, 'INVALID_CREDENTIALS')
  dataOf(await login(user))
})

test('an account has at most 20 passkeys, also when they are added at the same time', async () => {
  const user = await app.user()
  for (let i = 0; i < 18; i++) await addPasskey(user, ORIGIN, `Key ${i}`)
  const bodies = await Promise.all(
    [18, 19, 20].map(async (i) => {
      const credential = new Authenticator(ORIGIN).create(await creationOptions(user))
      return { name: `Key ${i}`, credential }
    }),
  )
  const answers = await Promise.all(bodies.map((body) => user.post('/auth/passkeys', body)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409])
  assertError(await user.post('/auth/passkeys/options', password), 409, 'LIMIT_REACHED')
  assert.equal((await passkeysOf(user)).length, 20)
})

test('a replayed request returns the stored passkey without recovery codes', async () => {
  const user = await app.user()
  const credential = new Authenticator(ORIGIN).create(await creationOptions(user))
  const add = () =>
    user.post(
      '/auth/passkeys',
      { name: 'A phone', credential },
      { headers: { 'idempotency-key': 'a' } },
    )
  const first = dataOf(await add(), 201)
  // The challenge is used and expired. A replay returns the stored response without a check of the challenge.
  app.clock.advance(301_000)
  assert.deepEqual(dataOf(await add(), 201), { ...first, recovery_codes: null })
  assert.equal((await passkeysOf(user)).length, 1)
})

test('every change of the factors notifies, and mails a verified address', async () => {
  const user = await app.user()
  await app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
  const { passkey } = await addPasskey(user, ORIGIN)
  assert.deepEqual((await enableTotp(app, user)).codes, [])
  await user.post('/auth/recovery-codes', password)
  await user.post('/auth/totp/disable', password)
  await user.patch(`/auth/passkeys/${passkey.id}`, { name: 'No change of the factors' })
  await user.post(`/auth/passkeys/${passkey.id}/remove`, password)
  const { notifications } = dataOf(await user.get('/notifications'))
  assert.equal(notifications.length, 5)
  for (const { type, link, actor } of notifications) {
    assert.deepEqual([type, link, actor], ['system', '/account', null])
  }
  assert.equal(new Set(valuesOf(notifications, 'message')).size, 5)
  await smtp.to(user.email, 5)
})

test('the operator removes every factor and all recovery codes, and the user learns of it', async () => {
  const user = await app.user()
  const { authenticator, codes } = await addPasskey(user, ORIGIN)
  await enableTotp(app, user)
  const remove = () =>
    app.db.transaction((tx) =>
      removeFactors(
        tx,
        user.id,
        { since: 0, change: 'removed_by_operator' },
        { actorId: null, requestId: null, reason: null },
        { settings: app.deps.config, language: 'en', now: app.clock.now() },
      ),
    )
  await remove()
  await remove()
  const none = { is_enabled: false, methods: [], recovery_codes_left: 0 }
  assert.deepEqual(await factorOf(user), none)
  assert.deepEqual(await passkeysOf(user), [])
  assertError(await signIn(await answerOf(authenticator)), 401, 'INVALID_CREDENTIALS')
  dataOf(await login(user, { recovery_code: codes?.[0] }))
  const { notifications } = dataOf(await user.get('/notifications'))
  assert.equal(notifications.length, 3)
  const admin = await app.admin()
  const { audit } = dataOf(await admin.get(`/admin/audit?target=${user.id}`))
  assert.equal(audit.length, 1)
  assert.equal(audit[0].action, 'second_factor_removed')
  assert.equal(audit[0].actor, null)
  assert.deepEqual(audit[0].before.methods, ['totp', 'passkey'])
  assert.deepEqual(audit[0].after, none)
})

test('without PUBLIC_URL, passkeys work on the server itself only', async () => {
  const local = await startApp()
  const user = await local.user()
  const origin = 'http://localhost:5173'
  const { authenticator } = await addPasskey(user, origin)
  const use = async (faults: Faults = {}) => {
    const options = await requestOptions(local.anon)
    assert.equal(options.rpId, 'localhost')
    const credential = authenticator.get(options, faults)
    return local.anon.post('/auth/login/passkey', { credential })
  }
  dataOf(await use())
  assertError(await use({ origin: 'https://localhost.evil.test' }), 401, 'INVALID_CREDENTIALS')
  assertError(await use({ origin: 'null' }), 401, 'INVALID_CREDENTIALS')
})

test('deletes used challenges once they have expired', async () => {
  const user = await app.user()
  await addPasskey(user, ORIGIN)
  const count = async () => app.count('used_challenges')
  await deleteExpiredChallenges(app.db, app.clock.now())
  assert.ok((await count()) > 0)
  await deleteExpiredChallenges(app.db, app.clock.now() + 301_000)
  assert.equal(await count(), 0)
})
