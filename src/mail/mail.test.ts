import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { until } from '../../test/receiver.ts'
import { startSmtp } from '../../test/smtp.ts'
import { mailUser, type NewMail, queueMail } from './rules.ts'

const HOUR_MS = 3_600_000
const smtp = await startSmtp()
const app = await startApp({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'Plaza Post <post@plaza.test>',
  PUBLIC_URL: 'https://plaza.test',
})
const { db, config } = app.deps

let made = 0

async function queue(over: Partial<NewMail> = {}): Promise<string> {
  const to = over.to ?? `reader${++made}@example.test`
  const mail: NewMail = {
    userId: null,
    to,
    kind: 'verification',
    language: over.language ?? 'en',
    params: { handle: 'mina', ttl: 3600 },
    link: 'https://plaza.test/verify-email#token=secret-of-the-link',
  }
  await db.transaction((tx) =>
    queueMail(tx, config, { ...mail, ...over } as NewMail, app.clock.now()),
  )
  return to
}

async function rowOf(to: string): Promise<Record<string, unknown>> {
  const [row] = await app.sql(`select * from mails where to_address = '${to}'`)
  return row ?? {}
}

async function untilAttempted(to: string, attempts: number): Promise<void> {
  await until(async () => {
    const row = await rowOf(to)
    return Number(row['attempts']) >= attempts && row['lease'] === null
  }, `${attempts} attempts`)
}

test('sends a queued mail with text and HTML, signed in at the server', async () => {
  const to = await queue()
  const mail = await smtp.to(to)
  assert.deepEqual([mail.from, mail.to], ['post@plaza.test', to])
  assert.equal(smtp.auth, '\0plaza\0p@ss')
  const { id } = await rowOf(to)
  assert.match(String(id), /^eml_/)
  assert.equal(mail.headers['message-id'], `<${String(id)}@plaza.test>`)
  assert.equal(mail.headers['from'], 'Plaza Post <post@plaza.test>')
  assert.equal(mail.headers['subject'], 'Confirm your email address')
  assert.equal(mail.headers['auto-submitted'], 'auto-generated')
  assert.equal(mail.headers['content-language'], 'en')
  assert.equal(mail.link, 'https://plaza.test/verify-email#token=secret-of-the-link')
  assert.ok(mail.html.includes(`href="${mail.link}"`))
})

test('writes the mail in the language of its cause', async () => {
  const mail = await smtp.to(await queue({ language: 'ko' }))
  assert.equal(mail.headers['subject'], '이메일 주소를 확인해 주세요')
  assert.match(mail.text, /^mina님, 안녕하세요\./)
  assert.match(mail.html, /<html lang="ko">/)
})

test('stores the link encrypted while the mail waits, and removes it once it is sent', async () => {
  smtp.replies = { MAIL: '451 later' }
  const to = await queue()
  await untilAttempted(to, 1)
  const waiting = await rowOf(to)
  assert.equal(waiting['status'], 'pending')
  assert.match(String(waiting['sealed']), /^v1\./)
  assert.ok(!JSON.stringify(waiting).includes('secret-of-the-link'))
  smtp.replies = {}
  app.clock.advance(30_000)
  const mail = await smtp.to(to)
  assert.equal(mail.token, 'secret-of-the-link')
  await until(async () => (await rowOf(to))['status'] === 'sent', 'the end')
  const sent = await rowOf(to)
  assert.deepEqual([sent['sealed'], sent['due_at'], sent['lease']], [null, null, null])
})

test('retries with growing gaps for 24 hours, and then gives up and removes the link', async () => {
  smtp.replies = { RCPT: '550 no such user' }
  const to = await queue()
  const start = app.clock.now()
  const gaps: number[] = []
  for (let attempt = 1; (await rowOf(to))['status'] === 'pending'; attempt++) {
    await until(async () => {
      const row = await rowOf(to)
      return (
        row['status'] !== 'pending' || (Number(row['attempts']) >= attempt && row['lease'] === null)
      )
    }, `attempt ${attempt}`)
    const { due_at: due } = await rowOf(to)
    if (due === null) break
    gaps.push(Math.round((Number(due) - app.clock.now()) / 1000))
    app.clock.advance(Number(due) - app.clock.now())
    app.deps.mails.wake()
  }
  smtp.replies = {}
  assert.deepEqual(gaps.slice(0, 8), [30, 60, 120, 240, 480, 960, 1920, 3600])
  assert.ok(gaps.slice(8).every((gap) => gap === 3600))
  const row = await rowOf(to)
  assert.deepEqual([row['status'], row['sealed'], row['due_at']], ['failed', null, null])
  const passed = app.clock.now() - start
  assert.ok(passed > 22 * HOUR_MS && passed <= 24 * HOUR_MS, `${passed} ms`)
  assert.ok(!smtp.mails.some((mail) => mail.to === to))
})

test('gives up no mail because the clock was set forward', async () => {
  smtp.replies = { RCPT: '451 later' }
  const to = await queue()
  await untilAttempted(to, 1)
  app.clock.jump(25 * HOUR_MS)
  app.deps.mails.wake()
  await untilAttempted(to, 2)
  assert.equal((await rowOf(to))['status'], 'pending')
  smtp.replies = {}
  app.clock.jump(HOUR_MS)
  app.deps.mails.wake()
  await smtp.to(to)
})

test('sends the waiting mails once a dead server is back, each with its own Message-ID', async () => {
  await smtp.stop()
  const addresses = await Promise.all([queue(), queue(), queue()])
  for (const to of addresses) await untilAttempted(to, 1)
  await smtp.start()
  app.clock.advance(30_000)
  const ids = new Set<string>()
  for (const to of addresses) ids.add((await smtp.to(to)).headers['message-id'] ?? '')
  assert.equal(ids.size, 3)
})

test('sends a mail again under the same Message-ID when the reply was lost', async () => {
  smtp.replies = { END: '451 stored, but who knows' }
  const to = await queue()
  await untilAttempted(to, 1)
  smtp.replies = {}
  app.clock.advance(30_000)
  await smtp.to(to, 2)
  const ids = smtp.mails.filter((mail) => mail.to === to).map((mail) => mail.headers['message-id'])
  assert.equal(new Set(ids).size, 1)
})

test('keeps other mails going while the server is silent to some', async () => {
  smtp.isSilent = true
  const { connections } = smtp
  const stuck = await queue()
  await until(() => smtp.connections > connections, 'a connection')
  smtp.isSilent = false
  await smtp.to(await queue())
  assert.equal((await rowOf(stuck))['status'], 'pending')
})

test('lets no control character into a header', async () => {
  const hostile = 'mina\r\nBcc: victim@example.test\u0000'
  const to = await queue({ kind: 'verification', params: { handle: hostile, ttl: 3600 } })
  const mail = await smtp.to(to)
  assert.ok(!('bcc' in mail.headers))
  const injected = 'reader@example.test\r\nRCPT TO:<victim@example.test>'
  await queue({ to: injected })
  await until(async () => {
    const [row] = await app.sql(
      `select attempts, lease from mails where to_address like 'reader@%'`,
    )
    return row?.['attempts'] === 1 && row['lease'] === null
  }, 'an attempt')
  assert.ok(!smtp.mails.some((received) => /victim/.test(received.to)))
})

test('mails a user only at a verified address', async () => {
  const user = await app.user()
  const note = { userId: user.id, kind: 'export_ready', language: 'en' } as const
  const params = { handle: user.handle, until: app.clock.now() }
  const send = () =>
    db.transaction((tx) => mailUser(tx, config, { ...note, params }, app.clock.now()))
  await send()
  assert.deepEqual(await rowOf(user.email), {})
  await app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
  await send()
  const mail = await smtp.to(user.email)
  assert.equal(mail.headers['subject'], 'Your data is ready')
  assert.equal((await rowOf(user.email))['user_id'], user.id)
})

test('an account gets at most twenty mails of a kind an hour', async () => {
  const user = await app.user()
  await app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
  const note = { userId: user.id, language: 'en' } as const
  const send = async () => {
    const now = app.clock.now()
    const params = { handle: user.handle, until: now }
    await db.transaction((tx) =>
      mailUser(tx, config, { ...note, kind: 'export_ready', params }, now),
    )
  }
  const queued = () => app.sql(`select kind from mails where to_address = '${user.email}'`)
  for (let i = 0; i < 22; i++) await send()
  assert.equal((await queued()).length, 20)
  const params = { handle: user.handle, keys: 0 }
  await db.transaction((tx) =>
    mailUser(tx, config, { ...note, kind: 'password_changed', params }, app.clock.now()),
  )
  assert.equal((await queued()).length, 21)
  app.clock.advance(HOUR_MS + 1000)
  await send()
  assert.equal((await queued()).length, 22)
})

test('writes no mail when its transaction fails', async () => {
  const to = `reader${++made}@example.test`
  await assert.rejects(
    db.transaction(async (tx) => {
      const content = { kind: 'export_ready', params: { handle: 'mina', until: 1 } } as const
      const mail = { userId: null, to, language: 'en', ...content } as const
      await queueMail(tx, config, mail, app.clock.now())
      throw new Error('the cause failed')
    }),
  )
  assert.deepEqual(await rowOf(to), {})
})

test('writes no mail without a mail server', async () => {
  const quiet = await startApp()
  const content = { kind: 'export_ready', params: { handle: 'mina', until: 1 } } as const
  const mail = { userId: null, to: 'reader@example.test', language: 'en', ...content } as const
  await quiet.db.transaction((tx) => queueMail(tx, quiet.deps.config, mail, 1))
  assert.deepEqual(await quiet.sql('select * from mails'), [])
})

test('returns a mail to the outbox when the process stops during its attempt', async () => {
  const sibling = await app.sibling()
  smtp.isSilent = true
  const to = await queue()
  await until(async () => (await rowOf(to))['lease'] !== null, 'an attempt')
  await Promise.all([sibling.deps.mails.close(), app.deps.mails.close()])
  const row = await rowOf(to)
  assert.deepEqual([row['status'], row['lease'], row['attempts']], ['pending', null, 0])
  smtp.isSilent = false
})
