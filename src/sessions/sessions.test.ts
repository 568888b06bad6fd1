import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { PASSWORD } from '../../test/actors.ts'
import { assertError, dataOf } from '../../test/make.ts'
import { openSession } from './rules.ts'

const app = await startApp()
const { anon } = app

const loginAs = (identifier: string) => anon.post('/auth/login', { identifier, password: PASSWORD })
const me = (token: string) =>
  anon.get('/auth/me', { headers: { authorization: `Bearer ${token}` } })
const renew = (refresh_token: string) => anon.post('/auth/refresh', { refresh_token })

test('rejects every token that is not exactly a valid one', async () => {
  const alice = await app.user()
  const withChangedCharacter = (i: number) =>
    alice.token.slice(0, i) + (alice.token[i] === 'A' ? 'B' : 'A') + alice.token.slice(i + 1)
  const bad = [
    '',
    'junk',
    alice.token.slice(0, -1),
    `${alice.token}x`,
    alice.refreshToken,
    alice.id,
  ]
  for (const token of [
    ...bad,
    ...Array.from({ length: alice.token.length - 1 }, (_, i) => withChangedCharacter(i + 1)),
  ]) {
    assertError(await me(token), 401, 'UNAUTHORIZED')
  }
  for (const header of [`Basic ${alice.token}`, alice.token, `Bearer ${alice.token}, Bearer x`]) {
    const answer = await anon.get('/auth/me', { headers: { authorization: header } })
    assertError(answer, 401, 'UNAUTHORIZED')
  }
  for (const header of [`bearer ${alice.token}`, `BEARER   ${alice.token}`]) {
    dataOf(await anon.get('/auth/me', { headers: { authorization: header } }))
  }
})

test('rejects an access token after it expires', async () => {
  const alice = await app.user()
  app.clock.advance(3600_000 + 1000)
  assertError(await alice.get('/auth/me'), 401, 'UNAUTHORIZED')
  const { tokens } = dataOf(await renew(alice.refreshToken))
  dataOf(await me(tokens.access_token))
})

test('rotates refresh tokens, and returns the same successor for the previous one for 30 seconds', async () => {
  const alice = await app.user()
  const first = dataOf(await renew(alice.refreshToken)).tokens
  assert.notEqual(first.refresh_token, alice.refreshToken)
  const again = dataOf(await renew(alice.refreshToken)).tokens
  assert.equal(again.refresh_token, first.refresh_token)
  assert.equal(again.access_token, first.access_token)
  dataOf(await me(first.access_token))
  app.clock.advance(31_000)
  assertError(await renew(alice.refreshToken), 401, 'UNAUTHORIZED')
  assertError(await me(first.access_token), 401, 'UNAUTHORIZED')
  assertError(await renew(first.refresh_token), 401, 'UNAUTHORIZED')
})

test('returns one successor for concurrent refreshes on two servers', async () => {
  const sibling = await app.sibling()
  const alice = await app.user()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? anon : sibling.anon).post('/auth/refresh', { refresh_token: alice.refreshToken }),
    ),
  )
  assert.equal(new Set(answers.map((answer) => dataOf(answer).tokens.refresh_token)).size, 1)
})

test('ends only that session when a refresh token two generations old is used', async () => {
  const alice = await app.user()
  const otherTokens = dataOf(await loginAs(alice.handle)).tokens
  const first = dataOf(await renew(alice.refreshToken)).tokens
  const second = dataOf(await renew(first.refresh_token)).tokens
  assertError(await renew(alice.refreshToken), 401, 'UNAUTHORIZED')
  assertError(await me(second.access_token), 401, 'UNAUTHORIZED')
  assertError(await renew(second.refresh_token), 401, 'UNAUTHORIZED')
  dataOf(await me(otherTokens.access_token))
})

test('rejects a replaced refresh token after 30 seconds even if the clock went back', async () => {
  for (const ahead of [60 * 60_000, 40_000]) {
    const [alice, bob] = [await app.user(), await app.user()]
    app.clock.advance(ahead)
    const { tokens } = dataOf(await renew(alice.refreshToken))
    app.clock.advance(-ahead + 32_000)
    assertError(await renew(alice.refreshToken), 401, 'UNAUTHORIZED')
    // The old token may be stolen, so its reuse has ended this session. Other sessions continue.
    assertError(await renew(tokens.refresh_token), 401, 'UNAUTHORIZED')
    dataOf(await renew(bob.refreshToken))
  }
})

test('returns the successor of a replaced refresh token when another clock is slightly behind', async () => {
  const alice = await app.user()
  const { tokens } = dataOf(await renew(alice.refreshToken))
  app.clock.advance(-3_000)
  const again = dataOf(await renew(alice.refreshToken)).tokens
  assert.equal(again.refresh_token, tokens.refresh_token)
  app.clock.advance(3_000)
})

test('answers 401 for an invalid refresh token and ends no session', async () => {
  const alice = await app.user()
  const forged = alice.refreshToken.slice(0, -4) + 'AAAA'
  for (const token of ['junk', alice.token, forged])
    assertError(await renew(token), 401, 'UNAUTHORIZED')
  dataOf(await alice.get('/auth/me'))
})

test('applies logout, suspension and expiry from the next request in every process', async () => {
  const sibling = await app.sibling()
  const [admin, alice, bob] = [await app.admin(), await app.user(), await app.user()]
  const statuses = async (who: typeof alice) => {
    const answers = await Promise.all(
      [who, who.at(sibling.url)].map((client) => client.get('/auth/me')),
    )
    return answers.map(({ status }) => status)
  }
  for (const who of [alice, bob]) assert.deepEqual(await statuses(who), [200, 200])
  assert.equal((await alice.at(sibling.url).post('/auth/logout')).status, 204)
  assert.deepEqual(await statuses(alice), [401, 401])
  assert.deepEqual(await statuses(bob), [200, 200])
  dataOf(await admin.at(sibling.url).patch(`/admin/users/${bob.id}`, { is_suspended: true }))
  assert.deepEqual(await statuses(bob), [401, 401])
  const [carol, dora] = [await app.user(), await app.user()]
  for (const who of [carol, dora]) assert.deepEqual(await statuses(who), [200, 200])
  await app.sql(`update users set is_suspended = 1, suspended_at = 1 where id = '${carol.id}'`)
  assert.deepEqual(await statuses(carol), [401, 401])
  assert.deepEqual(await statuses(dora), [200, 200])
  app.clock.advance(30 * 24 * 60 * 60 * 1000)
  assert.deepEqual(await statuses(dora), [401, 401])
})

test('lists sessions without secrets and ends them one by one', async () => {
  const alice = await app.user()
  const second = dataOf(await loginAs(alice.handle)).tokens
  const answer = await alice.get('/auth/sessions')
  const { sessions } = dataOf(answer)
  assert.equal(sessions.length, 2)
  assert.equal(sessions.filter((s: { is_current: boolean }) => s.is_current).length, 1)
  for (const secret of [
    alice.token,
    alice.refreshToken,
    second.access_token,
    second.refresh_token,
  ]) {
    assert.ok(!answer.text.includes(secret.slice(-20)))
  }
  const otherSession = sessions.find((s: { is_current: boolean }) => !s.is_current)
  assert.equal((await alice.delete(`/auth/sessions/${otherSession.id}`)).status, 204)
  assertError(await me(second.access_token), 401, 'UNAUTHORIZED')
  dataOf(await alice.get('/auth/me'))
})

test('expires an access token no later than its session', async () => {
  const short = await startApp({ ACCESS_TOKEN_TTL: '3600', REFRESH_TOKEN_TTL: '60' })
  const alice = await short.user()
  const login = { identifier: alice.handle, password: PASSWORD }
  assert.equal(dataOf(await short.anon.post('/auth/login', login)).tokens.expires_in, 60)
  short.clock.advance(61_000)
  assertError(await alice.get('/auth/me'), 401, 'UNAUTHORIZED')
})

test('ends only the oldest session of a user when a hundred and first one opens', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  const open = (userId: string) =>
    app.db.transaction((tx) =>
      openSession(tx, app.deps.config, userId, { ip: null, userAgent: null }, app.clock.now()),
    )
  const opened = [await open(alice.id)]
  for (let i = 0; i < 98; i++) opened.push(await open(alice.id))
  dataOf(await alice.get('/auth/me'))
  const { tokens } = dataOf(await loginAs(alice.handle))
  assertError(await alice.get('/auth/me'), 401, 'UNAUTHORIZED')
  assertError(await renew(alice.refreshToken), 401, 'UNAUTHORIZED')
  for (const { access_token } of [opened[0], opened[98], tokens]) dataOf(await me(access_token))
  await open(alice.id)
  assertError(await me(opened[0]?.access_token ?? ''), 401, 'UNAUTHORIZED')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  assert.equal(dataOf(await anon.get('/auth/sessions', { headers })).sessions.length, 100)
  dataOf(await bob.get('/auth/me'))
})
