import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf } from '../../test/make.ts'

const app = await startApp()
const admin = await app.admin()
const english = { headers: { 'accept-language': 'en' } }
const korean = { headers: { 'accept-language': 'ko' } }

const terms = {
  title: { ko: '이용약관', en: 'Terms' },
  body: { ko: '# 약관\n<script>alert(1)</script>', en: '# Terms' },
  revision: 0,
}
const put = (slug: string, over: object = {}, actor = admin) =>
  actor.put(`/admin/pages/${slug}`, { ...terms, ...over })

test('shows a page in the language of the request, else in the other one', async () => {
  const { page } = dataOf(await put('terms'))
  assert.deepEqual([page.slug, page.title, page.revision], ['terms', terms.title, 1])
  const { page: inKorean } = dataOf(await app.anon.get('/pages/terms', korean))
  assert.deepEqual(
    [inKorean.title, inKorean.body, inKorean.language, inKorean.revision],
    ['이용약관', terms.body.ko, 'ko', 1],
  )
  const only = { title: { en: 'English' }, body: { ko: null, en: 'Only' }, revision: 1 }
  const { page: changed } = dataOf(await put('terms', only))
  assert.deepEqual([changed.title, changed.revision], [{ ko: null, en: 'English' }, 2])
  const { page: koreanPage } = dataOf(await app.anon.get('/pages/terms', korean))
  assert.deepEqual(
    [koreanPage.title, koreanPage.body, koreanPage.language],
    ['English', 'Only', 'en'],
  )
  const { site } = dataOf(await app.anon.get('/site', english))
  assert.deepEqual(site.pages, [{ slug: 'terms', title: 'English' }])
  assert.deepEqual(dataOf(await admin.get('/admin/pages')).pages, [changed])
  const { audit } = dataOf(await admin.get('/admin/audit?target=terms'))
  assert.deepEqual([audit.length, audit[0].before.revision, audit[0].after.revision], [2, 1, 2])
})

test('rejects invalid pages and stores nothing', async () => {
  for (const slug of ['Terms', 'a_b', 'x'.repeat(41), '%ED%95%9C']) {
    assertInvalid(await put(slug), 'slug')
    assertInvalid(await admin.delete(`/admin/pages/${slug}`), 'slug')
    assertInvalid(await app.anon.get(`/pages/${slug}`), 'slug')
  }
  assertInvalid(await put('about', { title: {} }), 'title')
  assertInvalid(await put('about', { body: { ko: null } }), 'body')
  assertInvalid(await put('about', { title: { en: 'x'.repeat(101) } }), 'title.en')
  assertInvalid(await put('about', { body: { en: 'x'.repeat(50_001) } }), 'body.en')
  assertInvalid(await put('about', { revision: -1 }), 'revision')
  assertInvalid(await put('about', { revision: undefined }), 'revision')
  assertError(await app.anon.get('/pages/about'), 404, 'PAGE_NOT_FOUND')
  const user = await app.user()
  assertError(await put('about', {}, user), 403, 'FORBIDDEN')
  dataOf(await put('long', { body: { en: 'x'.repeat(50_000) } }))
  dataOf(await admin.delete('/admin/pages/long'), 204)
})

test('accepts one of two editors, and a new page only with revision 0', async () => {
  assertError(await put('rules', { revision: 1 }), 409, 'EDIT_CONFLICT')
  const made = await Promise.all([put('rules'), put('rules')])
  assert.deepEqual(made.map(({ status }) => status).toSorted(), [200, 409])
  const changed = await Promise.all([put('rules', { revision: 1 }), put('rules', { revision: 1 })])
  assert.deepEqual(changed.map(({ status }) => status).toSorted(), [200, 409])
  dataOf(await admin.delete('/admin/pages/rules'), 204)
  dataOf(await admin.delete('/admin/pages/rules'), 204)
  assertError(await app.anon.get('/pages/rules'), 404, 'PAGE_NOT_FOUND')
  const { audit } = dataOf(await admin.get('/admin/audit?target=rules&action=page_deleted'))
  assert.equal(audit.length, 1)
})

test('allows at most 30 pages', async () => {
  const before = dataOf(await admin.get('/admin/pages')).pages.length
  for (let i = before; i < 30; i++) dataOf(await put(`page-${i}`))
  assertError(await put('one-more'), 409, 'LIMIT_REACHED')
  dataOf(await put('page-29', { revision: 1 }))
  dataOf(await admin.delete('/admin/pages/page-29'), 204)
  dataOf(await put('one-more'))
})
