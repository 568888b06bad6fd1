import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'
import { drawing, makeUpload, upload } from '../../test/uploads.ts'

const app = await startApp()
const admin = await app.admin()
const editor = await app.user()
dataOf(await admin.put(`/admin/users/${editor.id}/permissions`, { permissions: ['site'] }))

const png = (width: number) => drawing(width).png().toBuffer()

const english = { headers: { 'accept-language': 'en' } }
const korean = { headers: { 'accept-language': 'ko' } }
const siteOf = async () => dataOf(await app.anon.get('/site')).site
const settings = async () => dataOf(await admin.get('/admin/site'))
const patch = async (changes: object, actor = editor) =>
  actor.patch('/admin/site', { revision: (await settings()).revision, ...changes })
const auditOf = async () => dataOf(await admin.get('/admin/audit?target=site'))

test('shows the defaults before any change', async () => {
  assert.deepEqual(await siteOf(), {
    name: 'Plaza',
    description: '',
    logo_url: null,
    accent: null,
    contact: null,
    registration: 'open',
    adult_default: 'blur',
    setup_required: false,
    mail_configured: false,
    email_verification: 'off',
    rules: [],
    pages: [],
    limits: { max_upload_bytes: 536_870_912, comment_length: 1000, message_length: 2000 },
    version: (await siteOf()).version,
  })
  const { settings: found, locked, rules } = await settings()
  assert.deepEqual([locked, rules], [[], []])
  assert.equal(found.default_quota_bytes, 10_737_418_240)
})

test('changes settings on the next request of every process, and records the change', async () => {
  const sibling = await app.sibling()
  await siteOf()
  dataOf(await sibling.anon.get('/site'))
  const before = await settings()
  const changed = dataOf(
    await patch({ name: ' 광장 ', accent: '#3B5BDB', contact: 'me@example.com' }),
  )
  assert.equal(changed.settings.name, '광장')
  assert.ok(changed.revision > before.revision)
  const { site } = dataOf(await sibling.anon.get('/site'))
  assert.deepEqual([site.name, site.accent, site.contact], ['광장', '#3b5bdb', 'me@example.com'])
  const [entry] = (await auditOf()).audit
  assert.deepEqual(
    [entry.action, entry.actor.id, entry.before.name, entry.after.name],
    ['site_changed', editor.id, 'Plaza', '광장'],
  )
  assert.ok(!('registration' in entry.after))
  await sibling.close()
})

test('rejects invalid settings and changes nothing', async () => {
  const before = await settings()
  for (const [field, value] of [
    ['name', ''],
    ['name', 'x'.repeat(51)],
    ['name', 'Plaza\nhttps://example.com'],
    ['name', 'Plaza\u202e'],
    ['description', 'x'.repeat(301)],
    ['contact', 'http://example.com'],
    ['contact', 'javascript:alert(1)'],
    ['security_contact', 'nobody'],
    ['accent', 'red'],
    ['accent', '#12345g'],
    ['registration', 'maybe'],
    ['invites_per_user', 101],
    ['default_quota_bytes', -1],
    ['default_quota_bytes', 1.5],
    ['adult_default', 'show'],
    ['ai_crawlers', null],
    ['logo_upload_id', 'upl_none'],
  ] as const) {
    assertInvalid(await patch({ [field]: value }), field)
  }
  assertInvalid(await editor.patch('/admin/site', { name: 'Without revision' }), 'revision')
  assert.deepEqual(await settings(), before)
})

test('accepts one of two editors and answers 409 to the other', async () => {
  const { revision } = await settings()
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => editor.patch('/admin/site', { revision, name })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  const won = answers.find(({ status }) => status === 200)
  assert.equal((await siteOf()).name, won?.data.settings.name)
  assertError(await editor.put('/admin/site/rules', { revision, rules: [] }), 409, 'EDIT_CONFLICT')
})

test('lets only admins and users with the permission read and change settings', async () => {
  const user = await app.user()
  const { revision } = await settings()
  assertError(await user.get('/admin/site'), 403, 'FORBIDDEN')
  assertError(await user.patch('/admin/site', { revision, name: 'Mine' }), 403, 'FORBIDDEN')
  assertError(await user.put('/admin/site/rules', { revision, rules: [] }), 403, 'FORBIDDEN')
  dataOf(await editor.get('/admin/site'))
  assert.equal((await settings()).revision, revision)
})

test('shows a picture of the editor as the logo, also while the editor is suspended', async () => {
  const { id } = await makeUpload(editor, await png(40))
  const foreign = await makeUpload(admin, await png(41))
  assertInvalid(await patch({ logo_upload_id: foreign.id }), 'logo_upload_id')
  const { settings: changed } = dataOf(await patch({ logo_upload_id: id }))
  const { logo_url } = await siteOf()
  assert.equal(changed.logo_url, logo_url)
  dataOf(await admin.patch(`/admin/users/${editor.id}`, { is_suspended: true }))
  assert.equal((await fetch(app.url + logo_url)).status, 200)
  dataOf(await admin.patch(`/admin/users/${editor.id}`, { is_suspended: false }))
  dataOf(await patch({ logo_upload_id: null }, admin))
  assert.equal((await siteOf()).logo_url, null)
})

test('keeps the ids of rules, and shows them in the language of the request', async () => {
  const put = async (rules: object[]) =>
    admin.put('/admin/site/rules', { revision: (await settings()).revision, rules })
  const first = dataOf(
    await put([{ text: { ko: '존중' } }, { text: { ko: '출처', en: 'Sources' } }]),
  )
  const [respect, sources] = first.rules
  assert.match(respect.id, /^rul_/)
  assert.deepEqual(respect.text, { ko: '존중', en: null })
  const second = dataOf(
    await put([{ id: sources.id, text: { en: 'Name sources' } }, { text: { en: 'New' } }]),
  )
  assert.equal(second.rules[0].id, sources.id)
  assert.equal(second.revision, first.revision + 1)
  assert.deepEqual((await settings()).rules, second.rules)
  const inKorean = dataOf(await app.anon.get('/site', korean)).site.rules
  assert.deepEqual(inKorean[0], { id: sources.id, text: 'Name sources' })
  dataOf(await put([{ id: respect.id, text: respect.text }]))
  const inEnglish = dataOf(await app.anon.get('/site', english)).site.rules
  assert.deepEqual(inEnglish, [{ id: respect.id, text: '존중' }])
  assertInvalid(await put([{ text: {} }]), 'rules.0.text')
  assertInvalid(await put([{ text: { en: ' ' } }]), 'rules.0.text.en')
  assertInvalid(await put([{ text: { en: 'x'.repeat(301) } }]), 'rules.0.text.en')
  assertInvalid(await put([{ id: 'rul_none', text: { en: 'a' } }]), 'rules.0.id')
  const twice = { id: respect.id, text: { en: 'a' } }
  assertInvalid(await put([twice, twice]), 'rules.1.id')
  assertInvalid(await put(Array.from({ length: 31 }, () => ({ text: { en: 'a' } }))), 'rules')
  const [entry] = (await auditOf()).audit
  assert.deepEqual([entry.action, entry.after.rules.length], ['rules_changed', 1])
})

test('applies the quota of the site to the next upload', async () => {
  const user = await app.user()
  dataOf(await patch({ default_quota_bytes: 10 }, admin))
  assert.equal(dataOf(await user.get('/auth/me')).user.storage.quota_bytes, 10)
  assertError(await upload(user, await png(50)), 409, 'QUOTA_EXCEEDED')
  dataOf(await patch({ default_quota_bytes: null }, admin))
  assert.equal(dataOf(await user.get('/auth/me')).user.storage.quota_bytes, null)
  await makeUpload(user, await png(50))
})

test('does not let anyone change settings that the environment fixes', async () => {
  const fixed = await startApp({
    SITE_NAME: 'Fixed',
    REGISTRATION: 'closed',
    USER_QUOTA_BYTES: '0',
  })
  const owner = await fixed.admin()
  const { settings: found, locked, revision } = dataOf(await owner.get('/admin/site'))
  assert.deepEqual(locked, ['name', 'registration', 'default_quota_bytes'])
  assert.deepEqual(
    [found.name, found.registration, found.default_quota_bytes],
    ['Fixed', 'closed', null],
  )
  const change = (fields: object) => owner.patch('/admin/site', { revision, ...fields })
  assertInvalid(await change({ name: 'Other' }), 'name')
  assertInvalid(await change({ registration: 'open', description: 'x' }), 'registration')
  assertInvalid(await change({ default_quota_bytes: 5 }), 'default_quota_bytes')
  assert.equal(dataOf(await owner.get('/admin/site')).settings.description, '')
  dataOf(await change({ name: 'Fixed', description: 'Same name' }))
  assert.equal(dataOf(await fixed.anon.get('/site')).site.name, 'Fixed')
})
