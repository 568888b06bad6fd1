import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor } from '../../test/app.ts'
import { addPasskey, enableTotp, requestOptions } from '../../test/factors.ts'
import { assertError, dataOf } from '../../test/make.ts'
import { type ReceivedMail } from '../../test/smtp.ts'
import { startMailing } from '../../test/mailing.ts'

const mailing = await startMailing()
const { app, smtp, newAddress, undo, verified } = mailing
const verify = (user: Actor) =>
  app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
const changeEmail = async (user: Actor, email: string) =>
  dataOf(await mailing.changeEmail(user, email))

async function undoMailsTo(address: string): Promise<number> {
  return await app.count(`mails where to_address = '${address}' and kind = 'email_changed'`)
}

test('a second change of the address keeps the undo link of the first', async () => {
  const user = await verified()
  const stolen = newAddress()
  await changeEmail(user, stolen)
  const { token } = await smtp.to(user.email)
  await verify(user)
  await changeEmail(user, newAddress())
  assert.equal(await undoMailsTo(stolen), 0)
  assert.equal((await undo(token)).status, 204)
  assert.equal(await app.value(`select email from users where id = '${user.id}'`), user.email)
})

test('an address gets an undo link once that of an earlier address has expired', async () => {
  const user = await verified()
  const second = newAddress()
  await changeEmail(user, second)
  await verify(user)
  await app.sql(`update mail_tokens set expires_at = 1 where user_id = '${user.id}'`)
  await changeEmail(user, newAddress())
  assert.equal(await undoMailsTo(second), 1)
})

test('an address gets at most twenty undo links an hour, and the last one works', async () => {
  const user = await verified()
  await changeEmail(user, newAddress())
  const { token } = await smtp.to(user.email)
  const bucket = `mail:email_changed:${user.id}`
  await app.sql(`update attempts set count = 20 where bucket = '${bucket}'`)
  await changeEmail(user, user.email)
  await verify(user)
  await changeEmail(user, newAddress())
  assert.equal(await undoMailsTo(user.email), 1)
  assert.equal((await undo(token)).status, 204)
})

const NEW_PASSWORD = 'the river was quiet today'
/** Waits until at least `count` undo links are mailed to the user, and returns the token of the last one. */
async function undoToken({ email }: Actor, count = 1): Promise<string> {
  const isUndo = ({ to, link }: ReceivedMail) => to === email && link.includes('/undo-email')
  await smtp.find(() => smtp.mails.filter(isUndo).length >= count)
  return smtp.mails.findLast(isUndo)?.token ?? ''
}
const factorsOf = async (user: Actor) => {
  const [row] = await app.sql(
    `select has_totp, passkey_count, recovery_code_count from users where id = '${user.id}'`,
  )
  return Object.values(row ?? {})
}

/**
 * Undoes the change of address with the mailed link, and sets a new password with the reset link that the undo
 * mails.
 */
async function takeBack(user: Actor): Promise<void> {
  assert.equal((await undo(await undoToken(user))).status, 204)
  const reset = await smtp.find(({ to, link }) => to === user.email && link.includes('/reset-'))
  const body = { token: reset.token, new_password: NEW_PASSWORD }
  assert.equal((await app.anon.post('/auth/password-reset/confirm', body)).status, 204)
}
const signIn = (user: Actor, more: object = {}) =>
  app.anon.post('/auth/login', { identifier: user.handle, password: NEW_PASSWORD, ...more })

test('an undo removes the factors that were added since the change, and says so', async () => {
  const user = await verified()
  await changeEmail(user, newAddress())
  const { codes } = await enableTotp(app, user)
  const { authenticator } = await addPasskey(user, 'https://plaza.test')
  await takeBack(user)
  const { tokens } = dataOf(await signIn(user))
  const owner = {
    headers: { authorization: `Bearer ${tokens.access_token}`, 'accept-language': 'en' },
  }
  const { second_factor } = dataOf(await app.anon.get('/auth/me', owner)).user
  assert.deepEqual(second_factor, { is_enabled: false, methods: [], recovery_codes_left: 0 })
  const credential = authenticator.get(await requestOptions(app.anon))
  assertError(
    await app.anon.post('/auth/login/passkey', { credential }),
    401,
    'INVALID_CREDENTIALS',
  )
  const [recovery_code] = codes
  const reset = { identifier: user.handle, recovery_code, new_password: 'a password of the thief' }
  assertError(await app.anon.post('/auth/password-reset/confirm', reset), 422, 'TOKEN_INVALID')
  await smtp.find(({ to, text }) => to === user.email && text.includes('복구 코드'))
  const { notifications } = dataOf(await app.anon.get('/notifications', owner))
  const said = notifications.map(({ message }: { message: string }) => message)
  assert.equal(said.filter((text: string) => text.includes('Undoing the email change')).length, 1)
  const entries = await app.sql(
    `select actor_id from audit_entries where target_id = '${user.id}' and action = 'second_factor_removed'`,
  )
  assert.deepEqual(
    entries.map((row) => row['actor_id']),
    [user.id],
  )
})

test('factors from before the change stay after the undo and the reset', async () => {
  const user = await verified()
  const totp = await enableTotp(app, user)
  app.clock.advance(1000)
  await changeEmail(user, newAddress())
  await addPasskey(user, 'https://plaza.test')
  await takeBack(user)
  assert.deepEqual(await factorsOf(user), [1, 0, 10])
  assertError(await signIn(user), 401, 'SECOND_FACTOR_REQUIRED')
  dataOf(await signIn(user, { otp: totp.next() }))
  dataOf(await signIn(user, { recovery_code: totp.codes[0] }))
})

test('a further change does not spare the factors that were added before it', async () => {
  const user = await verified()
  await changeEmail(user, newAddress())
  await enableTotp(app, user)
  app.clock.advance(1000)
  await changeEmail(user, user.email)
  await verify(user)
  await changeEmail(user, newAddress())
  assert.equal((await undo(await undoToken(user, 2))).status, 204)
  assert.deepEqual(await factorsOf(user), [0, 0, 0])
})

test('an undo of a change without new factors announces no removal', async () => {
  const user = await verified()
  await enableTotp(app, user)
  app.clock.advance(1000)
  await changeEmail(user, newAddress())
  assert.equal((await undo(await undoToken(user))).status, 204)
  assert.deepEqual(await factorsOf(user), [1, 0, 10])
  const removals = `target_id = '${user.id}' and action = 'second_factor_removed'`
  assert.equal(await app.count(`audit_entries where ${removals}`), 0)
})

test('an undo cancels a deletion that was requested since the change, and no earlier one', async () => {
  const deletions = (user: Actor) => app.count(`deletions where user_id = '${user.id}'`)
  for (const isEarlier of [false, true]) {
    const user = await verified()
    const request = async () => {
      const choices = { contents: 'erase', texts: 'erase' }
      const body = { ...choices, current_password: user.password }
      dataOf(await user.post('/auth/me/deletion', body), 202)
    }
    if (isEarlier) await request()
    await changeEmail(user, newAddress())
    await request()
    assert.equal(await deletions(user), 1)
    assert.equal((await undo(await undoToken(user))).status, 204)
    assert.equal(await deletions(user), isEarlier ? 1 : 0)
  }
})
