import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, makeContent, makePost } from '../../test/make.ts'
import { readPage, servePages } from '../../test/pages.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'
import { makeDecision } from '../../test/moderating.ts'

const BASE = 'https://plaza.example'
const app = await startApp({ PUBLIC_URL: BASE })
const url = await servePages(app)
const admin = await app.admin()
const mina = await app.user({ handle: 'mina', display_name: 'Mina' })
const visit = (path: string, headers?: Record<string, string>) => readPage(url, path, headers)

/**
 * Text that would end elements and strings in each syntax that a page contains. It also contains bidirectional
 * controls.
 */
const HOSTILE = `</script><b>"'&amp;]]>\u202e\u2066--></title></noscript>$& \``
const SHOWN = HOSTILE.replace(/[\u202e\u2066]/g, '')

const png = async (owner: Actor) => makeUpload(owner, await drawing(64).png().toBuffer())

test('describes content for search engines, link previews and readers without scripts', async () => {
  const picture = await png(mina)
  const { id } = await makeContent(mina, {
    title: 'River',
    description: 'At\nnight',
    upload_ids: [picture.id],
    tags: ['water'],
  })
  const page = await visit(`/contents/${id}`)
  const { content } = dataOf(await app.anon.get(`/contents/${id}`))
  assert.equal(page.status, 200)
  assert.equal(page.title, 'River - Plaza')
  assert.equal(page.canonical, `${BASE}/contents/${id}`)
  assert.deepEqual(page.meta, {
    description: 'At night',
    'og:title': 'River',
    'og:description': 'At night',
    'og:type': 'website',
    'og:url': `${BASE}/contents/${id}`,
    'og:site_name': 'Plaza',
    'og:locale': 'en_US',
    'og:image': BASE + content.thumbnail_url,
    'twitter:card': 'summary_large_image',
  })
  const target = encodeURIComponent(page.canonical ?? '')
  assert.equal(
    page.links['alternate application/json+oembed'],
    `${BASE}/oembed?url=${target}&format=json`,
  )
  assert.equal(page.links['alternate application/atom+xml'], `${BASE}/feed.atom`)
  assert.equal(page.links['search application/opensearchdescription+xml'], '/opensearch.xml')
  const { structured } = page
  assert.deepEqual(
    [structured['@context'], structured['@type'], structured.name, structured.contentUrl],
    ['https://schema.org', 'ImageObject', 'River', BASE + content.media[0].url],
  )
  assert.equal(structured.author.url, `${BASE}/creators/mina`)
  assert.match(page.noscript, /<h1>River<\/h1>\n<p><a href="\/creators\/mina">Mina<\/a><\/p>/)
  assert.match(page.noscript, /At<br>night/)
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  assert.match(page.headers.get('vary') ?? '', /Accept-Language/)
  assert.equal(page.headers.get('x-robots-tag'), null)
})

test('describes each kind of page in its own vocabulary', async () => {
  dataOf(await mina.patch('/auth/me', { bio: 'Films of cities.' }))
  const post = await makePost(mina, 'A new film tonight')
  dataOf(await mina.post(`/posts/${post.id}/replies`, { body: 'Come early' }), 201)
  const make = (over: object) => makeContent(mina, { title: 'Thing', ...over })
  const article = await make({ type: 'article', body: `${'a'.repeat(5000)}THE END` })
  const game = await make({ category: 'jump', type: 'game' })
  const audio = await make({ type: 'audio' })
  const video = await make({ type: 'video' })
  for (const [path, type, ogType, title] of [
    ['/', 'WebSite', 'website', 'Home - Plaza'],
    ['/creators/mina', 'ProfilePage', 'profile', 'Mina (@mina) - Plaza'],
    [`/posts/${post.id}`, 'DiscussionForumPosting', 'article', 'Mina: A new film tonight - Plaza'],
    [`/contents/${article.id}`, 'Article', 'article', 'Thing - Plaza'],
    [`/contents/${game.id}`, 'VideoGame', 'website', 'Thing - Plaza'],
    [`/contents/${audio.id}`, 'AudioObject', 'music.song', 'Thing - Plaza'],
    [`/contents/${video.id}`, 'VideoObject', 'video.other', 'Thing - Plaza'],
    ['/tags/%EB%B0%A4', undefined, 'website', '#밤 - Plaza'],
    ['/creators/MINA/followers', 'none', 'profile', 'Mina (@mina): Followers - Plaza'],
    ['/rules', undefined, 'website', 'Rules - Plaza'],
    ['/messages/msg_1', undefined, 'website', 'Messages - Plaza'],
  ] as const) {
    const page = await visit(path)
    assert.equal(page.status, 200, path)
    assert.equal(page.title, title)
    assert.equal(page.meta['og:type'], ogType)
    if (type !== 'none') assert.equal(page.structured?.['@type'], type)
    assert.ok(page.meta['description'], path)
  }
  const { structured } = await visit('/')
  assert.equal(
    structured.potentialAction.target.urlTemplate,
    `${BASE}/search?q={search_term_string}`,
  )
  const creator = await visit('/creators/mina/')
  assert.equal(creator.links['alternate application/atom+xml'], `${BASE}/creators/mina/feed.atom`)
  assert.equal(creator.meta['og:image'], `${BASE}/icon-512.png`)
  const { noscript } = await visit(`/contents/${article.id}`)
  assert.ok(noscript.includes('a'.repeat(5000)))
  assert.ok(!noscript.includes('THE END'))
  const thread = await visit(`/posts/${post.id}`)
  assert.equal(thread.structured.comment[0].text, 'Come early')
  assert.match((await visit('/community')).noscript, /A new film tonight/)
})

test('returns 404 for what an anonymous viewer cannot read, and says nothing about it', async () => {
  const [draft, archived, hidden, erased] = await Promise.all(
    ['Secret draft', 'Secret archived', 'Secret hidden', 'Secret erased'].map((title, index) =>
      makeContent(mina, { title, publish: index !== 0 }),
    ),
  )
  dataOf(await mina.delete(`/contents/${archived.id}`), 204)
  dataOf(await mina.delete(`/contents/${erased.id}`), 204)
  dataOf(await mina.post(`/contents/${erased.id}/erasure`, {}), 202)
  const before = await visit(`/contents/${hidden.id}`)
  assert.equal(before.status, 200)
  await makeDecision(admin, 'hide', 'content', hidden.id)
  const post = await makePost(mina, 'Secret post')
  dataOf(await mina.delete(`/posts/${post.id}`), 204)
  const gone = await app.user({ handle: 'gone', display_name: 'Secret name' })
  dataOf(await admin.patch(`/admin/users/${gone.id}`, { is_suspended: true }))
  for (const path of [
    ...[draft, archived, hidden, erased].map(({ id }) => `/contents/${id}`),
    '/contents/cnt_unknown',
    '/contents/cnt_01kahw2q7nf5x9r3d8y6b4c1zs',
    `/posts/${post.id}`,
    '/posts/%00',
    '/creators/gone',
    '/creators/gone/followers',
    '/creators/a%00b',
    '/creators/unknown',
    '/pages/unknown',
    '/pages/No_Slug',
    `/tags/${encodeURIComponent('a\u0000')}`,
    '/nowhere',
  ]) {
    const page = await visit(path)
    assert.equal(page.status, 404, path)
    assert.equal(page.title, 'Page not found - Plaza')
    assert.equal(page.meta['robots'], 'noindex')
    assert.equal(page.headers.get('x-robots-tag'), 'noindex')
    assert.equal(page.first, undefined)
    assert.equal(page.structured, undefined)
    assert.ok(!page.html.includes('Secret'), path)
    assert.match(page.html, /<div id="root">/)
  }
  const owner = { authorization: `Bearer ${mina.token}` }
  assert.equal((await visit(`/contents/${draft.id}`, owner)).status, 404)
})

test('includes the first answer exactly as the API sends it to anonymous viewers', async () => {
  dataOf(
    await admin.put('/admin/pages/terms', {
      title: { ko: '약관', en: 'Terms' },
      body: { ko: '본문', en: 'Text' },
      revision: 0,
    }),
  )
  await makeContent(mina, { category: 'swipe', title: HOSTILE, tags: ['a b/c'] })
  const content = await makeContent(mina, { title: HOSTILE })
  const post = await makePost(mina, HOSTILE)
  for (const [path, first] of [
    ['/', '/feeds?page=1&per_page=24&sort=popular'],
    ['/?sort=popular', '/feeds?page=1&per_page=24&sort=popular'],
    ['/?sort=following', '/feeds?page=1&per_page=24&sort=popular'],
    ['/hype', '/feeds/hype?page=1&per_page=24&sort=latest'],
    ['/swipe', '/feeds/swipe?page=1&per_page=24&sort=latest'],
    ['/jump', '/feeds/jump?sort=popular&per_page=8'],
    ['/community', '/feed'],
    [`/contents/${content.id}`, `/contents/${content.id}`],
    ['/creators/mina', '/creators/mina'],
    ['/creators/MINA', '/creators/MINA'],
    [`/posts/${post.id}`, `/posts/${post.id}/thread`],
    ['/tags/a%20b%2Fc', '/feeds?page=1&per_page=24&sort=latest&tag=a+b%2Fc'],
    ['/pages/terms', '/pages/terms'],
  ] as const) {
    const page = await visit(path)
    assert.equal(page.first?.url, `/api/v1${first}`, path)
    const headers = { 'accept-language': 'en' }
    const asked = await (await fetch(url + page.first.url, { headers })).json()
    const { answer } = page.first
    assert.match(answer.meta.request_id, /^req_/)
    assert.deepEqual({ ...answer, meta: null }, { ...(asked as object), meta: null }, path)
  }
  const { html } = await visit('/creators/MINA')
  const urls = [...html.matchAll(/data-url="([^"]*)"/g)].map(([, found]) => found)
  assert.deepEqual(urls.slice(1), [
    '/api/v1/creators/mina/contents?page=1&amp;per_page=24',
    '/api/v1/creators/mina/contents?sort=popular&amp;per_page=1',
  ])
  // This tab shows no featured content.
  assert.doesNotMatch((await visit('/creators/mina?tab=posts')).html, /sort=popular&amp;/)
  for (const path of ['/about', '/messages', '/creators/mina/following']) {
    assert.equal((await visit(path)).first, undefined)
  }
  await app.deps.views.flush()
  // Loading a page counts no view. The one view is from the API request above.
  assert.equal(dataOf(await mina.get(`/contents/${content.id}`)).content.view_count, 1)
})

test('keeps unlisted, adult and unindexed pages out of search engines, and adult pictures out of previews', async () => {
  const unlisted = await makeContent(mina, { title: 'For friends', visibility: 'unlisted' })
  const page = await visit(`/contents/${unlisted.id}`)
  assert.deepEqual(
    [page.status, page.meta['robots'], page.title],
    [200, 'noindex', 'For friends - Plaza'],
  )
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  const closed = await makeContent(mina, { title: 'Secret', visibility: 'followers' })
  assert.equal((await visit(`/contents/${closed.id}`)).status, 404)

  const picture = await png(mina)
  const adult = await makeContent(mina, {
    title: 'Adult',
    rating: 'adult',
    upload_ids: [picture.id],
    embedding: 'nowhere',
  })
  const shown = await visit(`/contents/${adult.id}`)
  assert.equal(shown.status, 200)
  assert.equal(shown.meta['og:image'], `${BASE}/icon-512.png`)
  assert.deepEqual([shown.meta['rating'], shown.meta['twitter:card']], ['adult', 'summary'])
  assert.equal(shown.meta['robots'], 'noindex')
  const data = shown.html.indexOf('<script type="application/json"')
  assert.ok(!shown.html.slice(0, data).includes('/uploads/'))
  assert.equal(shown.links['alternate application/json+oembed'], undefined)

  const shy = await app.user({ handle: 'shy' })
  const work = await makeContent(shy, { title: 'Quiet' })
  const post = await makePost(shy)
  const paths = [`/contents/${work.id}`, '/creators/shy', `/posts/${post.id}`]
  for (const path of paths) assert.equal((await visit(path)).meta['robots'], undefined)
  dataOf(await shy.patch('/auth/me', { is_indexed: false }))
  for (const path of paths) assert.equal((await visit(path)).meta['robots'], 'noindex', path)
})

test('escapes hostile texts in every place', async () => {
  const tag = '</script>"\u202e'
  dataOf(await mina.patch('/auth/me', { bio: HOSTILE, display_name: SHOWN.slice(0, 30) }))
  const content = await makeContent(mina, {
    type: 'article',
    title: HOSTILE,
    description: HOSTILE,
    body: `${HOSTILE}\n\n[x](javascript:alert(1))<img src=x onerror=alert(1)>`,
    tags: [tag],
  })
  const post = await makePost(mina, HOSTILE)
  for (const path of [
    '/',
    `/contents/${content.id}`,
    '/creators/mina',
    `/posts/${post.id}`,
    '/community',
    `/tags/${encodeURIComponent(tag)}`,
    `/nowhere/"><script>alert(1)</script>`,
    '/?sort="><b>',
  ]) {
    const { html, structured } = await visit(path)
    // The hostile texts add no elements to the page.
    const elements = [...html.matchAll(/<\/?([a-z]\w*)/gi)].map(([, name]) => name)
    const allowed = 'html head title meta link script body div img noscript h1 p br a ul li'.split(
      ' ',
    )
    assert.deepEqual(
      elements.filter((name) => !allowed.includes(name ?? '')),
      [],
      path,
    )
    assert.equal(html.match(/<script/g)?.length, html.match(/<\/script>/g)?.length)
    assert.equal(html.match(/<title>/g)?.length, 1)
    const data = /<script type="application\/json"[^]*/.exec(html)?.index ?? html.length
    assert.doesNotMatch(html.slice(0, data), /\p{Bidi_Control}/u, path)
    assert.doesNotMatch(JSON.stringify(structured ?? {}), /\p{Bidi_Control}/u, path)
  }
  const page = await visit(`/contents/${content.id}`)
  assert.equal(page.title, `${SHOWN} - Plaza`)
  assert.equal(page.meta['og:title'], SHOWN)
  assert.equal(page.structured.name, SHOWN)
  assert.equal(page.first?.answer.data.content.title, HOSTILE)
})

test('uses the language that the request accepts', async () => {
  const korean = await visit('/', { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' })
  assert.deepEqual(
    [korean.language, korean.title, korean.meta['og:locale']],
    ['ko', '홈 - Plaza', 'ko_KR'],
  )
  assert.equal((await visit('/', { 'accept-language': 'fr' })).language, 'ko')
  const english = await visit('/')
  assert.deepEqual([english.language, english.title], ['en', 'Home - Plaza'])
  assert.equal(english.headers.get('content-language'), 'en')
  assert.notEqual(english.headers.get('etag'), korean.headers.get('etag'))
})

test('responds with 304 until the page changes', async () => {
  const content = await makeContent(mina, { title: 'Before' })
  const path = `/contents/${content.id}`
  const etag = (await visit(path)).headers.get('etag') ?? ''
  assert.equal((await visit(path, { 'if-none-match': etag })).status, 304)
  assert.equal((await visit(path, { 'if-none-match': etag, 'accept-language': 'ko' })).status, 200)
  dataOf(await mina.patch(path, { title: 'After' }))
  const changed = await visit(path, { 'if-none-match': etag })
  assert.deepEqual([changed.status, changed.title], [200, 'After - Plaza'])
  dataOf(await mina.delete(path), 204)
  assert.equal((await visit(path, { 'if-none-match': etag })).status, 404)
})

test('takes name, description and picture from the site settings', async () => {
  const logo = await png(admin)
  const { revision } = dataOf(await admin.get('/admin/site'))
  const settings = { name: '</title>Club', description: 'Our "club"', logo_upload_id: logo.id }
  dataOf(await admin.patch('/admin/site', { revision, ...settings }))
  const page = await visit('/')
  assert.equal(page.title, 'Home - </title>Club')
  assert.deepEqual(
    [page.meta['og:site_name'], page.meta['og:title'], page.meta['description']],
    ['</title>Club', '</title>Club', 'Our "club"'],
  )
  const { logo_url } = dataOf(await app.anon.get('/site')).site
  assert.equal(page.meta['og:image'], BASE + logo_url)
})

test('keeps search engines away from a site without a public URL', async () => {
  const local = await startApp()
  const address = await servePages(local)
  const page = await readPage(address, '/')
  assert.deepEqual([page.status, page.meta['robots']], [200, 'noindex'])
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.match(page.canonical ?? '', /^http:\/\/127\.0\.0\.1:\d+\/$/)
  const forged = await readPage(address, '/', { host: 'evil.example' })
  assert.ok(!forged.html.includes('evil.example'))
})
