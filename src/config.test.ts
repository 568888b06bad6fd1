import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSecrets } from '../test/app.ts'
import { readConfig } from './config.ts'

const settings = { ...testSecrets(), DATABASE_URL: 'postgres://127.0.0.1/plaza' }

test('lets webhooks reach private addresses only when WEBHOOK_ALLOW_PRIVATE is on, regardless of HOST', () => {
  const allows = (more: Record<string, string>) =>
    readConfig({ ...settings, ...more }).webhookAllowPrivate
  for (const HOST of ['', '127.0.0.1', '::1', '0.0.0.0']) {
    assert.equal(allows({ HOST }), false)
    assert.equal(allows({ HOST, WEBHOOK_ALLOW_PRIVATE: 'off' }), false)
    assert.equal(allows({ HOST, WEBHOOK_ALLOW_PRIVATE: 'on' }), true)
  }
  assert.throws(() => allows({ WEBHOOK_ALLOW_PRIVATE: 'auto' }), {
    message: 'WEBHOOK_ALLOW_PRIVATE must be one of off, on',
  })
})

test('rejects overlapping ports and a PUBLIC_URL that is not an origin', () => {
  const read = (more: Record<string, string>, listens = true) =>
    readConfig({ ...settings, ...more }, { listens })
  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: '3900', METRICS_PORT: '3900' }, /^METRICS_PORT must be another port than PORT$/],
    [
      { PORT: '3900', METRICS_PORT: '3901' },
      /^METRICS_PORT must not be the port after PORT: games/,
    ],
    [{ PORT: '65535' }, /^PORT must be at most 65534: games \(GAMES_URL\)/],
    [{ PUBLIC_URL: 'https://example.com/plaza' }, /^PUBLIC_URL must have nothing after host/],
    [{ PUBLIC_URL: 'https://example.com/?a' }, /^PUBLIC_URL must have nothing after host/],
    [{ PUBLIC_URL: 'https://a:b@example.com' }, /^PUBLIC_URL must have nothing after host/],
  ]
  for (const [more, message] of wrong) assert.throws(() => read(more), { message })
  assert.equal(read({ PORT: '3900', METRICS_PORT: '3902' }).metricsPort, 3902)
  assert.equal(read({ PORT: '0', METRICS_PORT: '0' }).metricsPort, 0)
  // A worker does not listen on PORT, so METRICS_PORT may have the same value.
  assert.equal(read({ PORT: '3900', METRICS_PORT: '3900' }, false).metricsPort, 3900)
  assert.equal(read({ PUBLIC_URL: 'https://Example.com/' }).publicUrl, 'https://example.com')
})

test('names the wrong entry of a list of numbers', () => {
  const read = () => readConfig({ ...settings, WEBHOOK_RETRY_SCHEDULE: '5,x' })
  assert.throws(read, {
    message:
      'WEBHOOK_RETRY_SCHEDULE must be comma-separated whole numbers from 0 to 604800: "x" is not one',
  })
})

test('needs a sender for mails, and a mail server and PUBLIC_URL to require verified addresses', () => {
  const read = (more: Record<string, string>) => readConfig({ ...settings, ...more })
  const mail = { SMTP_URL: 'smtps://user:p%40ss@mail.example.com', MAIL_FROM: 'post@example.com' }
  const PUBLIC_URL = 'https://example.com'
  const required = { EMAIL_VERIFICATION: 'required' }
  const wrong: [Record<string, string>, RegExp][] = [
    [{ SMTP_URL: mail.SMTP_URL }, /^MAIL_FROM must be set when SMTP_URL is$/],
    [{ ...mail, SMTP_URL: 'https://mail.example.com' }, /^SMTP_URL must be a URL that starts with/],
    [{ ...mail, SMTP_URL: 'smtp://' }, /^SMTP_URL must be a URL that starts with smtp:/],
    [{ ...mail, MAIL_FROM: 'nobody' }, /^MAIL_FROM must be an email address, or NAME <ADDRESS>$/],
    [{ ...mail, MAIL_FROM: 'a@b.c\r\nBcc: d@e.f' }, /^MAIL_FROM must be an email address/],
    [{ ...mail, MAIL_FROM: 'A\nB <a@b.c>' }, /^MAIL_FROM must be an email address/],
    [required, /^EMAIL_VERIFICATION=required needs SMTP_URL$/],
    [{ ...mail, ...required }, /^EMAIL_VERIFICATION=required needs PUBLIC_URL$/],
    [{ EMAIL_VERIFICATION: 'on' }, /^EMAIL_VERIFICATION must be one of off, required$/],
  ]
  for (const [more, message] of wrong) assert.throws(() => read(more), { message })
  const sender = 'Plaza Post <post@example.com>'
  const config = read({ ...mail, ...required, PUBLIC_URL, MAIL_FROM: sender })
  assert.deepEqual(
    [config.mailFrom, config.mailTokenTtl, config.mailUndoTtl],
    [sender, 3600, 604_800],
  )
  assert.equal(read({}).smtpUrl, undefined)
})
