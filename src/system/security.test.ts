import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf } from '../../test/make.ts'
import { servePages } from '../../test/pages.ts'

const path = '/.well-known/security.txt'

test('serves security.txt with the contact and an expiry within a year', async () => {
  const app = await startApp({
    SECURITY_CONTACT: 'security@example.com',
    PUBLIC_URL: 'https://plaza.example.com',
  })
  const response = await fetch((await servePages(app)) + path)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  assert.match(text, /^Contact: mailto:security@example\.com$/m)
  assert.match(text, /^Canonical: https:\/\/plaza\.example\.com\/\.well-known\/security\.txt$/m)
  const expires = /^Expires: (\d{4}-\d\d-\d\dT00:00:00Z)$/m.exec(text)?.[1] ?? ''
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  assert.ok(days > 100 && days < 365, expires)
  assertError(await app.anon.get(path), 404, 'ROUTE_NOT_FOUND')
})

test('uses the contacts of the site settings, and returns 404 without any', async () => {
  const app = await startApp()
  const url = await servePages(app)
  const admin = await app.admin()
  const change = async (settings: object) => {
    const { revision } = dataOf(await admin.get('/admin/site'))
    dataOf(await admin.patch('/admin/site', { revision, ...settings }))
  }
  const contactOf = async () => /^Contact: (.*)$/m.exec(await (await fetch(url + path)).text())?.[1]
  const missing = await fetch(url + path)
  assert.equal(missing.status, 404)
  assert.match(await missing.text(), /ROUTE_NOT_FOUND/)
  await change({ contact: 'hello@example.com' })
  assert.equal(await contactOf(), 'mailto:hello@example.com')
  await change({ security_contact: 'https://example.com/security' })
  assert.equal(await contactOf(), 'https://example.com/security')
})
