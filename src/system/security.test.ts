import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { freePort } from '../../scripts/postgres.ts'
import { assertError } from '../../test/make.ts'

const path = '/.well-known/security.txt'

test('serves security.txt with the contact and an expiry within a year', async () => {
  const port = await freePort(1)
  await startApp({
    SECURITY_CONTACT: 'security@example.com',
    PUBLIC_URL: 'https://plaza.example.com',
    PORT: String(port),
  })
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  assert.match(text, /^Contact: mailto:security@example\.com$/m)
  assert.match(text, /^Canonical: https:\/\/plaza\.example\.com\/\.well-known\/security\.txt$/m)
  const expires = /^Expires: (\d{4}-\d\d-\d\dT00:00:00Z)$/m.exec(text)?.[1] ?? ''
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  assert.ok(days > 100 && days < 365, expires)
})

test('returns 404 for security.txt when no contact is set', async () => {
  const app = await startApp()
  assertError(await app.anon.get(path), 404, 'ROUTE_NOT_FOUND')
})
