import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { PASSWORD } from '../../test/actors.ts'
import { captchaToken } from '../../test/captcha.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'

const app = await startApp()
const { anon } = app

function registration(over: Record<string, unknown>, path = '/auth/register') {
  const handle = `r${Math.random().toString(36).slice(2, 12)}`
  const account = { handle, email: `${handle}@example.test`, password: PASSWORD }
  return anon.post(path, { ...account, ...over })
}

const loginAs = (identifier: string, password = PASSWORD) =>
  anon.post('/auth/login', { identifier, password })

const COMMON = [
  '1234567890',
  'password123',
  'qwertyuiop',
  'PassWord1234',
  '0987654321',
  '1111111111',
  'qwertyqwerty',
  '0123456789',
]

test('rejects common passwords in any case at registration and password change', async () => {
  const alice = await app.user()
  const captcha_token = await captchaToken(anon)
  for (const password of COMMON) {
    assertInvalid(await registration({ password, captcha_token }), 'password')
    const change = { new_password: password, current_password: PASSWORD }
    assertInvalid(await alice.patch('/auth/me', change), 'new_password')
  }
  dataOf(await loginAs(alice.handle))
  dataOf(await registration({ password: 'é'.repeat(200), captcha_token }), 201)
})

test('accepts a common password at login if it was set before the rule', async () => {
  const alice = await app.user()
  const hash = await app.deps.passwords.hash('password123')
  await app.sql(`update users set password_hash = '${hash}' where id = '${alice.id}'`)
  dataOf(await loginAs(alice.handle, 'password123'))
})

test('rejects display names with bidirectional controls or without a visible character', async () => {
  const alice = await app.user({ display_name: 'Alice' })
  const captcha_token = await captchaToken(anon)
  const bidi = [0x61c, 0x200e, 0x200f, 0x202a, 0x202d, 0x202e, 0x2066, 0x2068, 0x2069]
  const invisible = [
    0xad, 0x34f, 0x115f, 0x1160, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2800, 0x3164,
    0xfe0f, 0xfeff, 0xffa0, 0x1d159, 0xe0041, 0xe0100, 0x301, 0x7, 0x3000,
  ]
  const names = [
    ...bidi.map((code) => `ad${String.fromCodePoint(code)}min`),
    ...invisible.map((code) => String.fromCodePoint(code).repeat(3)),
    ...invisible.map((code) => `\u200b${String.fromCodePoint(code)} \u2800`),
  ]
  for (const display_name of names) {
    assertInvalid(await alice.patch('/auth/me', { display_name }), 'display_name')
  }
  for (const display_name of ['\u202eadmin', '\u3164']) {
    for (const path of ['/auth/register', '/auth/signup']) {
      assertInvalid(await registration({ display_name, captcha_token }, path), 'display_name')
    }
  }
  assert.equal(dataOf(await alice.get('/auth/me')).user.display_name, 'Alice')
})

test('accepts display names of every script, and of emoji alone', async () => {
  const alice = await app.user()
  const names = ['미나', 'שלום', 'محمد', '👩‍👩‍👧', '❤️', 'ㅋ', 'नमस्ते', '.', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '中']
  for (const display_name of names) {
    const { user } = dataOf(await alice.patch('/auth/me', { display_name }))
    assert.equal(user.display_name, display_name)
  }
})

test('notifies a user about API keys that still work after a password change', async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  const newKey = { key_name: 'one' }
  const appKey = { ...newKey, environment: 'live' }
  const [activeKey, ended] = [
    dataOf(await alice.post('/developer/keys', newKey), 201),
    dataOf(await alice.post('/developer/keys', newKey), 201),
  ]
  assert.equal((await alice.delete(`/developer/keys/${ended.key.id}`)).status, 204)
  const makeApp = async () =>
    dataOf(await alice.post('/devconsole/apps', { app_name: 'An app', app_type: 'cli' }), 201).app
  const [console, deleted] = [await makeApp(), await makeApp()]
  for (const { id } of [console, console, deleted]) {
    dataOf(await alice.post(`/devconsole/apps/${id}/keys`, appKey), 201)
  }
  assert.equal((await alice.delete(`/devconsole/apps/${deleted.id}`)).status, 204)

  let password = PASSWORD
  for (const new_password of ['entirely another', 'a third one here']) {
    const change = { new_password, current_password: password }
    dataOf(await alice.patch('/auth/me', change))
    password = new_password
  }
  dataOf(await alice.patch('/auth/me', { bio: 'No password in here' }))
  const english = { headers: { 'accept-language': 'en' } }
  const { notifications } = dataOf(await alice.get('/notifications', english))
  assert.equal(notifications.length, 2)
  for (const { type, actor, link, message } of notifications) {
    assert.deepEqual([type, actor, link], ['system', null, '/account'])
    assert.match(message, /password was changed.*: 3\.$/)
  }
  const korean = dataOf(await alice.get('/notifications')).notifications
  assert.match(korean[0].message, /API 키는 3개예요/)
  assert.deepEqual(dataOf(await bob.get('/notifications')).notifications, [])
  const headers = { 'x-api-key': activeKey.raw_key }
  assert.equal((await app.anon.post('/contents', {}, { headers })).status, 422)
})

test("rejects the email of another user and accepts the user's own", async () => {
  const [alice, bob] = [await app.user(), await app.user()]
  for (const email of [bob.email, bob.email.toUpperCase()]) {
    const answer = await alice.patch('/auth/me', { email, current_password: PASSWORD })
    assertError(answer, 409, 'EMAIL_TAKEN')
  }
  assert.equal(dataOf(await alice.get('/auth/me')).user.email, alice.email)
})
