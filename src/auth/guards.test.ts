/**
 * Tests of the limits per client address. Requests from the local machine are exempt, so the tests send
 * X-Forwarded-For.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Answer, startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { assertError, assertInvalid, dataOf, times } from '../../test/make.ts'

// The tests advance the clock by hours, so access tokens must stay valid for longer than that.
const app = await startApp({ TRUST_PROXY: '1', ACCESS_TOKEN_TTL: '86400' })
const HOUR_MS = 60 * 60_000
let addresses = 0

function stranger(address = `203.0.113.${++addresses}`) {
  const headers = { 'x-forwarded-for': address }
  const post = (path: string, body?: unknown) => app.anon.post(path, body, { headers })
  const register = (over: Record<string, unknown>) => {
    const handle = `g${Math.random().toString(36).slice(2, 12)}`
    const account = { handle, email: `${handle}@example.test`, password: PASSWORD, ...over }
    return post('/auth/register', account)
  }
  return { post, register }
}

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()

test('one address can create twenty accounts an hour; further requests hash and write nothing', async () => {
  const { register } = stranger()
  const tokens = await times(24, () => captchaToken(app.anon))
  const before = await app.count('users')
  const answers = await Promise.all(tokens.map((captcha_token) => register({ captcha_token })))
  assert.deepEqual(statusesOf(answers), [...Array(20).fill(201), ...Array(4).fill(429)])
  const refused = answers.find(({ status }) => status === 429) as Answer
  assertError(refused, 429, 'RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(await app.count('users'), before + 20)
  dataOf(await stranger().register({ captcha_token: await captchaToken(app.anon) }), 201)
  app.clock.advance(HOUR_MS + 1000)
  dataOf(await register({ captcha_token: await captchaToken(app.anon) }), 201)
})

test('reveals at most twenty accounts an hour to one address, by handle or email', async () => {
  const { register } = stranger()
  const tokens = await times(31, () => captchaToken(app.anon))
  const [captcha_token] = tokens
  const taken = await app.user()
  await app.sql(
    "insert into legacy_accounts (handle, email, imported_at) values ('former_one', 'former@example.test', 0)",
  )
  const guesses = [{ handle: taken.handle }, { email: taken.email }, { handle: 'former_one' }]
  const answers = await times(30, (i) =>
    register({ ...guesses[i % 3], captcha_token: tokens[i + 1] }),
  )
  assert.deepEqual(statusesOf(answers), [...Array(20).fill(409), ...Array(10).fill(429)])
  for (const { status, error } of answers) {
    if (status === 429) assert.equal(error?.code, 'RATE_LIMITED')
  }
  assertError(await register({ captcha_token }), 429, 'RATE_LIMITED')
  // The limit affects only one address, and the rejected registrations did not use up the captcha token.
  dataOf(await stranger().register({ captcha_token }), 201)
})

test('registrations that reveal no account do not count against the address', async () => {
  const { register } = stranger()
  const captcha_token = await captchaToken(app.anon)
  for (const answer of await times(25, () => register({ captcha_token: 'plc_none' }))) {
    assertError(answer, 422, 'CAPTCHA_INVALID')
  }
  for (const answer of await times(25, () => register({ captcha_token, password: 'short' }))) {
    assertInvalid(answer, 'password')
  }
  dataOf(await register({ captcha_token }), 201)
})

test('a user can probe a hundred taken emails an hour; changes to free ones do not count', async () => {
  const [alice, taken] = [await app.user(), await app.user()]
  const change = (email: string) => alice.patch('/auth/me', { email, current_password: PASSWORD })
  for (let i = 0; i < 3; i++) dataOf(await change(`${i}-${alice.email}`))
  // Sends the requests one by one. Of a hundred simultaneous requests, some would wait too long for a hash.
  for (let i = 0; i < 100; i++) assertError(await change(taken.email), 409, 'EMAIL_TAKEN')
  assertError(await change(taken.email), 429, 'RATE_LIMITED')
  assertError(await change('free@example.test'), 429, 'RATE_LIMITED')
  assert.equal(dataOf(await alice.get('/auth/me')).user.email, `2-${alice.email}`)
  dataOf(await alice.patch('/auth/me', { bio: 'Still here' }))
  app.clock.advance(HOUR_MS + 1000)
  dataOf(await change('free@example.test'))
})

test('one address gets 120 challenges a minute', async () => {
  const { post } = stranger()
  const answers = await times(125, () => post('/captcha/challenge'))
  assert.deepEqual(statusesOf(answers), [...Array(120).fill(200), ...Array(5).fill(429)])
  dataOf(await stranger().post('/captcha/challenge'))
  app.clock.advance(61_000)
  dataOf(await post('/captcha/challenge'))
})

test('a hundred failed logins block an address for every account', async () => {
  const { post } = stranger()
  const alice = await app.user()
  const login = (identifier: string, password: string) =>
    post('/auth/login', { identifier, password })
  const answers = []
  for (let i = 0; i < 104; i++) answers.push(await login(`nobody_${i}`, 'a wrong password'))
  assert.deepEqual(statusesOf(answers), [...Array(100).fill(401), ...Array(4).fill(429)])
  assertError(await login(alice.handle, PASSWORD), 429, 'RATE_LIMITED')
  dataOf(await stranger().post('/auth/login', { identifier: alice.handle, password: PASSWORD }))
})

test('one captcha token reveals at most five accounts, also to simultaneous requests, and is then invalid', async () => {
  const taken = await app.user()
  const guesses = [{ handle: taken.handle }, { email: taken.email }]
  const [token, once] = await times(2, () => captchaToken(app.anon))
  const before = await app.count('users')
  const answers = await times(12, (i) =>
    stranger().register({ ...guesses[i % 2], captcha_token: token }),
  )
  assert.deepEqual(statusesOf(answers), [...Array(5).fill(409), ...Array(7).fill(422)])
  for (const answer of answers) {
    if (answer.status === 422) assertError(answer, 422, 'CAPTCHA_INVALID')
  }
  assertError(await stranger().register({ captcha_token: token }), 422, 'CAPTCHA_INVALID')
  assert.equal(await app.count('users'), before)

  const { register } = stranger()
  for (let i = 0; i < 4; i++) {
    const answer = await register({ ...guesses[i % 2], captcha_token: once })
    assert.equal(answer.status, 409)
  }
  assertInvalid(await register({ captcha_token: once, password: 'short' }), 'password')
  dataOf(await register({ captcha_token: once }), 201)
})
