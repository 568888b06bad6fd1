import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSecrets } from '../test/app.ts'
import { readConfig } from './config.ts'

const settings = { ...testSecrets(), DATABASE_URL: 'postgres://127.0.0.1/plaza' }

test('webhooks reach private addresses from a server of one machine, and from others where it is said', () => {
  const allows = (more: Record<string, string>, listens?: boolean) =>
    readConfig({ ...settings, ...more }, listens === undefined ? {} : { listens })
      .webhookAllowPrivate
  assert.equal(allows({}), true)
  assert.equal(allows({ HOST: '::1' }), true)
  assert.equal(allows({ HOST: '0.0.0.0' }), false)
  assert.equal(allows({ PUBLIC_URL: 'https://plaza.example' }), false)
  assert.equal(allows({ WEBHOOK_ALLOW_PRIVATE: 'off' }), false)
  // What listens for a worker is elsewhere, and may be open to all.
  for (const HOST of ['', '127.0.0.1', '0.0.0.0']) assert.equal(allows({ HOST }, false), false)
  assert.equal(allows({ WEBHOOK_ALLOW_PRIVATE: 'on', HOST: '0.0.0.0' }, false), true)
})
