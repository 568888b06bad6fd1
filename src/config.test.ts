import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSecrets } from '../test/app.ts'
import { readConfig } from './config.ts'

const settings = { ...testSecrets(), DATABASE_URL: 'postgres://127.0.0.1/plaza' }

test('webhooks reach private addresses only when WEBHOOK_ALLOW_PRIVATE is on, whatever HOST and PUBLIC_URL are', () => {
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
