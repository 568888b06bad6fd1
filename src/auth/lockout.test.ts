import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Actor, startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { assertError, dataOf, times } from '../../test/make.ts'
import { openSession } from '../sessions/rules.ts'
import { deleteOldKnown } from '../sessions/known-queries.ts'

const app = await startApp({ TRUST_PROXY: '1', ACCESS_TOKEN_TTL: '86400' })
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WRONG = 'a wrong password'

function loginFrom(address: string, { handle }: Actor, password = PASSWORD) {
  const headers = { 'x-forwarded-for': address }
  return app.anon.post('/auth/login', { identifier: handle, password }, { headers })
}

/** Stores a hundred failed logins of a user directly, because hashing a hundred passwords takes minutes. */
async function besiege({ id }: Pick<Actor, 'id'>): Promise<void> {
  await app.sql(`insert into attempts (bucket, count, resets_at)
    values ('login:account:${id}', 100, ${app.clock.now() + 60 * MINUTE_MS})
    on conflict (bucket) do update set count = 100, resets_at = excluded.resets_at`)
}

test('accepts the right password from a known network after a hundred failures from other networks', async () => {
  const owners = [
    ['192.0.2.7', '192.0.2.200', '192.0.3.7'],
    ['2001:db8:7:1::1', '2001:db8:7:ffff::9', '2001:db8:8:1::1'],
    ['::ffff:192.0.9.7', '192.0.9.200', '::ffff:192.0.10.7'],
  ] as const
  for (const [home, neighbour, stranger] of owners) {
    const owner = await app.user()
    dataOf(await loginFrom(home, owner))
    await besiege(owner)
    dataOf(await loginFrom(home, owner))
    dataOf(await loginFrom(neighbour, owner))
    assertError(await loginFrom(stranger, owner), 429, 'RATE_LIMITED')
    assertError(await loginFrom(stranger, owner, WRONG), 429, 'RATE_LIMITED')
  }
})

test('remembers the network from which an account was created', async () => {
  const handle = `k${Date.now()}`
  const account = { handle, email: `${handle}@example.test`, password: PASSWORD }
  const captcha_token = await captchaToken(app.anon)
  const headers = { 'x-forwarded-for': '192.0.5.1' }
  const answer = await app.anon.post('/auth/register', { ...account, captcha_token }, { headers })
  const owner = dataOf(answer, 201).user
  await besiege(owner)
  dataOf(await loginFrom('192.0.5.2', owner))
})

test('limits a known network to ten failures of its own in 15 minutes', async () => {
  const owner = await app.user()
  dataOf(await loginFrom('192.0.4.1', owner))
  await besiege(owner)
  const guesses = await times(12, (i) => loginFrom(`192.0.4.${i + 2}`, owner, WRONG))
  assert.equal(guesses.filter(({ status }) => status === 401).length, 10)
  assertError(await loginFrom('192.0.4.1', owner), 429, 'RATE_LIMITED')
  app.clock.advance(16 * MINUTE_MS)
  dataOf(await loginFrom('192.0.4.1', owner))
})

test('remembers no network after a wrong password or a login to another account', async () => {
  const [owner, attacker] = [await app.user(), await app.user()]
  const home = '192.0.6.1'
  assertError(await loginFrom(home, owner, WRONG), 401, 'INVALID_CREDENTIALS')
  dataOf(await loginFrom(home, attacker))
  await app.sql(`update users set is_suspended = 1, suspended_at = 1 where id = '${owner.id}'`)
  assertError(await loginFrom(home, owner), 403, 'ACCOUNT_SUSPENDED')
  await app.sql(`update users set is_suspended = 0, suspended_at = null where id = '${owner.id}'`)
  await besiege(owner)
  assertError(await loginFrom(home, owner), 429, 'RATE_LIMITED')
})

test('remembers a network for 90 days after a login, and stores only its hash', async () => {
  const owner = await app.user()
  const networks = () =>
    app.sql(`select network_hash from login_networks where user_id = '${owner.id}'`)
  dataOf(await loginFrom('192.0.7.1', owner))
  const rows = await networks()
  assert.ok(rows.length > 0 && !JSON.stringify(rows).includes('192.0.7'))
  app.clock.advance(89 * DAY_MS)
  await deleteOldKnown(app.db, app.clock.now())
  await besiege(owner)
  dataOf(await loginFrom('192.0.7.1', owner))
  app.clock.advance(91 * DAY_MS)
  await besiege(owner)
  assertError(await loginFrom('192.0.7.1', owner), 429, 'RATE_LIMITED')
  await deleteOldKnown(app.db, app.clock.now())
  assert.deepEqual(await networks(), [])
})

test('forgets the least recently used network when an account has more than fifty', async () => {
  const owner = await app.user()
  await app.sql(`delete from login_networks where user_id = '${owner.id}'`)
  for (let i = 0; i < 51; i++) {
    app.clock.advance(1000)
    await app.db.transaction((tx) => {
      const client = { ip: `10.0.${i}.1`, userAgent: null }
      return openSession(tx, app.deps.config, owner.id, client, app.clock.now())
    })
  }
  const rows = await app.sql(`select 1 from login_networks where user_id = '${owner.id}'`)
  assert.equal(rows.length, 50)
  await besiege(owner)
  assertError(await loginFrom('10.0.0.1', owner), 429, 'RATE_LIMITED')
  for (const i of [1, 25, 50]) dataOf(await loginFrom(`10.0.${i}.1`, owner))
})

test('counts all IPv6 addresses of a /48 as one address in every limit', async () => {
  const owner = await app.user()
  const address = (i: number) => `2001:db8:5:${(i + 1).toString(16)}::1`
  const guesses = await times(13, (i) => loginFrom(address(i), owner, WRONG))
  assert.equal(guesses.filter(({ status }) => status === 401).length, 10)
  assertError(await loginFrom(address(20), owner), 429, 'RATE_LIMITED')
  dataOf(await loginFrom('2001:db8:6:1::1', owner))

  const headers = (i: number) => ({ headers: { 'x-forwarded-for': address(i) } })
  const statuses = async (count: number, path: string, body?: unknown) => {
    const answers = await times(count, (i) => app.anon.post(path, body, headers(i)))
    return answers.filter(({ status }) => status === 429).length
  }
  assert.equal(await statuses(123, '/captcha/challenge'), 3)
  assert.equal(await statuses(63, '/auth/refresh', { refresh_token: 'plr_none' }), 3)
})
