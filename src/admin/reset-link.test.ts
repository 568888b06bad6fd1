import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf } from '../../test/make.ts'

const app = await startApp({ PUBLIC_URL: 'https://plaza.test' })
const admin = await app.admin()
const NEW_PASSWORD = 'a new walk by the river 7'
const tokenIn = (url: string) => url.split('#token=')[1] ?? ''
const confirm = (token: string) =>
  app.anon.post('/auth/password-reset/confirm', { token, new_password: NEW_PASSWORD })

test('an admin makes a link that resets a password once, without a mail server', async () => {
  const user = await app.user()
  const first = dataOf(await admin.post(`/admin/users/${user.id}/reset-link`), 201)
  const { url, expires_at } = dataOf(await admin.post(`/admin/users/${user.id}/reset-link`), 201)
  assert.match(url, /^https:\/\/plaza\.test\/reset-password#token=[\w-]{43}$/)
  const left = Date.parse(expires_at) - app.clock.now()
  assert.ok(left > 3_500_000 && left <= 3_600_000, `${left} ms`)
  assertError(await confirm(tokenIn(first.url)), 422, 'TOKEN_INVALID')
  assert.equal((await confirm(tokenIn(url))).status, 204)
  assertError(await confirm(tokenIn(url)), 422, 'TOKEN_INVALID')
  dataOf(await app.anon.post('/auth/login', { identifier: user.handle, password: NEW_PASSWORD }))
})

test('a link that an admin hands over does not verify the address', async () => {
  const user = await app.user()
  const { url } = dataOf(await admin.post(`/admin/users/${user.id}/reset-link`), 201)
  assert.equal((await confirm(tokenIn(url))).status, 204)
  const login = { identifier: user.handle, password: NEW_PASSWORD }
  const { user: account } = dataOf(await app.anon.post('/auth/login', login))
  assert.equal(account.email_verified, false)
})

test('the audit log names who made a link, and never the link', async () => {
  const user = await app.user()
  const { url } = dataOf(await admin.post(`/admin/users/${user.id}/reset-link`), 201)
  const { audit } = dataOf(await admin.get(`/admin/audit?target=${user.id}`))
  assert.deepEqual(
    audit.map(({ action, actor, before, after }: Record<string, { id?: string }>) => [
      action,
      actor?.id,
      before,
      after,
    ]),
    [['reset_link_created', admin.id, null, null]],
  )
  assert.ok(!JSON.stringify(audit).includes(tokenIn(url)))
})

test('a replay returns null in place of the link', async () => {
  const user = await app.user()
  const headers = { 'idempotency-key': 'reset' }
  const path = `/admin/users/${user.id}/reset-link`
  const { url } = dataOf(await admin.post(path, undefined, { headers }), 201)
  const again = await admin.post(path, undefined, { headers })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(dataOf(again, 201).url, null)
  assert.equal((await confirm(tokenIn(url))).status, 204)
})

test('only admins make links, and only for existing users', async () => {
  const user = await app.user()
  assertError(await user.post(`/admin/users/${user.id}/reset-link`), 403, 'FORBIDDEN')
  assertError(await app.anon.post(`/admin/users/${user.id}/reset-link`), 401, 'UNAUTHORIZED')
  assertError(await admin.post('/admin/users/usr_none/reset-link'), 404, 'USER_NOT_FOUND')
  const tokens = await app.sql(`select * from mail_tokens where user_id = '${user.id}'`)
  assert.deepEqual(tokens, [])
})
