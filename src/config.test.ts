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
  // A worker does not listen on PORT, so METRICS_PORT may be the same.
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
