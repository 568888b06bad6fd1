import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { startSmtp } from '../../test/smtp.ts'

const smtp = await startSmtp()
const app = await startApp({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'post@plaza.test',
  PUBLIC_URL: 'https://plaza.test',
})

let made = 0
const newAddress = () => `undo${++made}@example.test`
const verify = (user: Actor) =>
  app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
const undo = (token: string) => app.anon.post('/auth/email/undo', { token })
const changeEmail = async (user: Actor, email: string) =>
  dataOf(await user.patch('/auth/me', { email, current_password: user.password }))

async function undoMailsTo(address: string): Promise<number> {
  return await app.count(`mails where to_address = '${address}' and kind = 'email_changed'`)
}

test('a second change of the address keeps the undo link of the first', async () => {
  const user = await app.user()
  await verify(user)
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
  const user = await app.user()
  await verify(user)
  const second = newAddress()
  await changeEmail(user, second)
  await verify(user)
  await app.sql(`update mail_tokens set expires_at = 1 where user_id = '${user.id}'`)
  await changeEmail(user, newAddress())
  assert.equal(await undoMailsTo(second), 1)
})

test('an address gets at most twenty undo links an hour, and the last one works', async () => {
  const user = await app.user()
  await verify(user)
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
