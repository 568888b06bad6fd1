import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { plazaOn } from '../../test/command.ts'
import { dataOf } from '../../test/make.ts'
import { testSecrets } from '../../test/app.ts'

test('plaza site set changes a setting of a running server, and audits it', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { dataDir, databaseUrl } = app.deps.config
  const plaza = plazaOn({ dataDir, databaseUrl }, testSecrets())
  const set = (...words: string[]) => plaza('site', 'set', ...words)
  const settings = async () => dataOf(await admin.get('/admin/site')).settings

  assert.equal((await set('registration', 'closed')).code, 0)
  assert.equal((await set('default_quota_bytes', '5000')).code, 0)
  assert.equal((await set('accent', '#ABCDEF')).code, 0)
  const { registration, default_quota_bytes, accent } = await settings()
  assert.deepEqual([registration, default_quota_bytes, accent], ['closed', 5000, '#abcdef'])
  assert.equal((await set('default_quota_bytes', 'null')).code, 0)
  assert.equal((await settings()).default_quota_bytes, null)
  const { audit } = dataOf(await admin.get('/admin/audit?action=site_changed'))
  assert.deepEqual([audit.length, audit[0].actor], [4, null])

  const wrong = await set('registration', 'maybe')
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /registration: Must be one of/)
  assert.equal((await set('logo_upload_id', 'x')).code, 2)
  const locked = plazaOn({ dataDir, databaseUrl }, { ...testSecrets(), SITE_NAME: 'Fixed' })
  assert.match((await locked('site', 'set', 'name', 'Other')).err, /name: This setting is fixed/)
  assert.equal((await settings()).name, 'Plaza')
})
