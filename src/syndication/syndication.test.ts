import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, makeContent, suspend } from '../../test/make.ts'
import { servePages } from '../../test/pages.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'
import { parseXml, type XmlElement } from '../../test/xml.ts'
import { Sitemap } from './sitemap.ts'
import { makeDecision } from '../../test/moderating.ts'

const BASE = 'https://plaza.example'
const app = await startApp({ PUBLIC_URL: BASE })
const url = await servePages(app)
const admin = await app.admin()
const mina = await app.user({ handle: 'mina', display_name: 'Mina' })
const rater = (id: string) => makeDecision(admin, 'rate', 'content', id, { rating: 'adult' })

const HOSTILE = `</title><![CDATA[ "'&amp;]]>\u202e\u0007 <script>`
const SHOWN = HOSTILE.replace('\u202e', '').replace('\u0007', '')

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })

async function readXml(path: string, type: string): Promise<XmlElement> {
  const answer = await get(path)
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.doesNotMatch(text, /\p{Bidi_Control}/u)
  return parseXml(text)
}
const readFeed = (path: string) => readXml(path, 'application/atom+xml')
const titlesOf = (feed: XmlElement) => feed.elements('entry').map((entry) => entry.text('title'))

const png = await drawing(80).png().toBuffer()
const picture = await makeUpload(mina, png)
const first = await makeContent(mina, {
  title: HOSTILE,
  description: HOSTILE,
  upload_ids: [picture.id],
  tags: ['밤 a/b', '"<'],
})

test('lists the newest contents with their first file in the feed of the site', async () => {
  const feed = await readFeed('/feed.atom')
  assert.equal(feed.name, 'feed')
  assert.equal(feed.attributes['xmlns'], 'http://www.w3.org/2005/Atom')
  assert.deepEqual([feed.text('id'), feed.text('title')], [`${BASE}/feed.atom`, 'Plaza'])
  const [self, page] = feed.elements('link').map(({ attributes }) => attributes)
  assert.deepEqual([self?.['rel'], self?.['href']], ['self', `${BASE}/feed.atom`])
  assert.deepEqual([page?.['rel'], page?.['href']], ['alternate', `${BASE}/`])
  const [entry] = feed.elements('entry')
  assert.ok(entry)
  const { content } = dataOf(await app.anon.get(`/contents/${first.id}`))
  assert.deepEqual(
    [entry.text('id'), entry.text('title'), entry.text('summary'), entry.text('updated')],
    [`${BASE}/contents/${first.id}`, SHOWN, SHOWN, content.updated_at],
  )
  assert.equal(feed.text('updated'), content.updated_at)
  assert.deepEqual(
    entry.elements('category').map(({ attributes }) => attributes['term']),
    ['밤 a/b', '"<'],
  )
  const author = entry.elements('author')[0]
  assert.deepEqual([author?.text('name'), author?.text('uri')], ['Mina', `${BASE}/creators/mina`])
  const enclosure = entry
    .elements('link')
    .find(({ attributes }) => attributes['rel'] === 'enclosure')
  assert.deepEqual(enclosure?.attributes, {
    rel: 'enclosure',
    type: 'image/png',
    length: String(content.media[0].size_bytes),
    href: BASE + content.media[0].url,
  })
})

test('has a feed for each creator and each tag', async () => {
  const joon = await app.user({ handle: 'joon', display_name: 'Joon' })
  await makeContent(joon, { title: 'By Joon', tags: ['River'] })
  const creator = await readFeed('/creators/JOON/feed.atom')
  assert.deepEqual([creator.text('title'), titlesOf(creator)], ['Joon - Plaza', ['By Joon']])
  assert.equal(creator.text('id'), `${BASE}/creators/joon/feed.atom`)
  assert.deepEqual(titlesOf(await readFeed('/tags/river/feed.atom')), ['By Joon'])
  const tag = await readFeed(`/tags/${encodeURIComponent('밤 a/b')}/feed.atom`)
  assert.deepEqual([tag.text('title'), titlesOf(tag)], ['#밤 a/b - Plaza', [SHOWN]])
  const unused = await readFeed('/tags/unused/feed.atom')
  assert.deepEqual([titlesOf(unused), unused.text('updated')], [[], '1970-01-01T00:00:00.000Z'])
  dataOf(await admin.patch(`/admin/users/${joon.id}`, { is_suspended: true }))
  for (const path of ['/creators/joon/feed.atom', '/creators/unknown/feed.atom']) {
    const answer = await get(path)
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /CREATOR_NOT_FOUND/)
  }
  assert.deepEqual(titlesOf(await readFeed('/tags/river/feed.atom')), [])
})

test('leaves out adult, archived and hidden content at the next request', async () => {
  const [adult, archived, hidden] = await Promise.all(
    ['adult', 'archived', 'hidden'].map((title) => makeContent(mina, { title })),
  )
  const before = titlesOf(await readFeed('/creators/mina/feed.atom'))
  for (const title of ['adult', 'archived', 'hidden']) assert.ok(before.includes(title))
  await rater(adult.id)
  dataOf(await mina.delete(`/contents/${archived.id}`), 204)
  await makeDecision(admin, 'hide', 'content', hidden.id)
  for (const path of ['/creators/mina/feed.atom', '/feed.atom']) {
    assert.deepEqual(titlesOf(await readFeed(path)), [SHOWN])
  }
  const addresses = await allAddresses()
  for (const { id } of [adult, archived, hidden]) {
    assert.ok(!addresses.includes(`${BASE}/contents/${id}`))
  }
})

test('lists at most 30 entries, and finds them behind adult content', async () => {
  const busy = await app.user({ handle: 'busy' })
  for (let i = 0; i < 31; i++) await makeContent(busy, { title: `Work ${i}`, tags: ['many'] })
  const newest = await makeContent(busy, { title: 'Adult', tags: ['many'] })
  await rater(newest.id)
  const titles = titlesOf(await readFeed('/tags/many/feed.atom'))
  assert.deepEqual([titles.length, titles[0], titles[29]], [30, 'Work 30', 'Work 1'])
})

test('lets feeds be cached for five minutes, and responds with 304 until they change', async () => {
  const answer = await get('/feed.atom')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
  assert.equal((await get('/feed.atom', headers)).status, 304)
  await makeContent(mina, { title: 'One more' })
  assert.equal((await get('/feed.atom', headers)).status, 200)
  const head = await fetch(`${url}/feed.atom`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.equal((await fetch(`${url}/feed.atom`, { method: 'POST' })).status, 405)
})

const addressesOf = async (path: string) =>
  (await readXml(path, 'application/xml')).elements('url').map((entry) => entry.text('loc') ?? '')

async function allAddresses(): Promise<string[]> {
  const index = await readXml('/sitemap.xml', 'application/xml')
  assert.equal(index.name, 'sitemapindex')
  const files = index
    .elements('sitemap')
    .map((entry) => (entry.text('loc') ?? '').replace(BASE, ''))
  return (await Promise.all(files.map(addressesOf))).flat()
}

test('lists pages, creators with content and contents in the sitemap', async () => {
  const quiet = await app.user({ handle: 'quiet' })
  await makeContent(quiet, { publish: false })
  dataOf(
    await admin.put('/admin/pages/terms', {
      title: { en: 'Terms' },
      body: { en: 'Text' },
      revision: 0,
    }),
  )
  const addresses = await allAddresses()
  assert.equal(new Set(addresses).size, addresses.length)
  for (const path of ['/', '/hype', '/pages/terms', '/creators/mina', `/contents/${first.id}`]) {
    assert.ok(addresses.includes(BASE + path), path)
  }
  assert.ok(!addresses.some((address) => /quiet|joon|null|undefined/.test(address)))
  const file = await readXml('/sitemap-3.xml', 'application/xml')
  const [entry] = file.elements('url')
  const { content } = dataOf(await app.anon.get(`/contents/${first.id}`))
  assert.deepEqual(
    [entry?.text('loc'), entry?.text('lastmod')],
    [`${BASE}/contents/${first.id}`, content.updated_at],
  )
  for (const path of ['/sitemap-4.xml', '/sitemap-0.xml', '/sitemap-01.xml', '/sitemap-x.xml']) {
    const answer = await get(path)
    assert.equal(answer.status, 404, path)
    assert.match(await answer.text(), /ROUTE_NOT_FOUND/)
  }
})

test('lists only public content of creators who let search engines in', async () => {
  const unlisted = await makeContent(mina, {
    visibility: 'unlisted',
    title: 'Unlisted',
    tags: ['u'],
  })
  const followers = await makeContent(mina, { visibility: 'followers', tags: ['u'] })
  const shy = await app.user({ handle: 'shy' })
  const work = await makeContent(shy, { title: 'Quiet' })
  const paths = ['/creators/shy', `/contents/${work.id}`].map((path) => BASE + path)
  const before = await allAddresses()
  for (const path of paths) assert.ok(before.includes(path))
  dataOf(await shy.patch('/auth/me', { is_indexed: false }))
  const addresses = await allAddresses()
  for (const path of paths) assert.ok(!addresses.includes(path))
  for (const { id } of [unlisted, followers]) {
    assert.ok(!addresses.includes(`${BASE}/contents/${id}`))
  }
  assert.deepEqual(titlesOf(await readFeed('/tags/u/feed.atom')), [])
  assert.ok(titlesOf(await readFeed('/feed.atom')).includes('Quiet'))
})

test('lists no creator without a page', async () => {
  const gone = await app.user({ handle: 'gone' })
  const paused = await app.user({ handle: 'paused' })
  const kept = await makeContent(gone, { title: 'Kept' })
  await makeContent(paused)
  await suspend(app, paused)
  const choices = { contents: 'keep', texts: 'keep', reason: 'On request' }
  dataOf(await admin.post(`/admin/users/${gone.id}/erasure`, choices), 202)
  await until(async () => (await get('/creators/gone')).status === 404, 'the erasure')
  const addresses = await allAddresses()
  assert.ok(addresses.includes(`${BASE}/contents/${kept.id}`))
  assert.ok(!addresses.some((address) => /\/creators\/(gone|deleted|paused)/.test(address)))
})

test('lets other requests run before each read of a sitemap', async () => {
  const sitemap = new Sitemap(app.db, BASE)
  for (const number of [2, 3]) {
    const parts = await sitemap.openFile(number, 0)
    let hasTurned = false
    setImmediate(() => (hasTurned = true))
    for await (const _ of parts ?? []) continue
    assert.ok(hasTurned)
  }
})

test('splits the sitemap into files that do not overlap', async () => {
  const sitemap = new Sitemap(app.db, BASE, 7)
  const index = parseXml(await sitemap.indexXml(0))
  const files: string[][] = []
  for (let number = 1; number <= index.elements('sitemap').length; number++) {
    let text = ''
    for await (const part of (await sitemap.openFile(number, 0)) ?? []) text += part
    files.push(
      parseXml(text)
        .elements('url')
        .map((entry) => entry.text('loc') ?? ''),
    )
  }
  assert.ok(files.length > 5)
  for (const file of files.slice(1)) assert.ok(file.length <= 7)
  const addresses = files.flat()
  assert.equal(new Set(addresses).size, addresses.length)
  assert.deepEqual(addresses.toSorted(), (await allAddresses()).toSorted())
  assert.equal(await sitemap.openFile(files.length + 1, 0), undefined)
})

const change = async (settings: object) => {
  const { revision } = dataOf(await admin.get('/admin/site'))
  dataOf(await admin.patch('/admin/site', { revision, ...settings }))
}

test('keeps crawlers out of the API, and training crawlers out of everything on request', async () => {
  const read = async () => (await get('/robots.txt')).text()
  assert.equal(await read(), `User-agent: *\nDisallow: /api/\n\nSitemap: ${BASE}/sitemap.xml\n`)
  await change({ ai_crawlers: 'deny' })
  const denied = await read()
  assert.match(denied, /^User-agent: \*\nDisallow: \/api\/\n\n/)
  assert.match(denied, /\nUser-agent: GPTBot\n(?:User-agent: .*\n)+Disallow: \/\n\n/)
  await change({ ai_crawlers: 'allow' })
  assert.doesNotMatch(await read(), /GPTBot/)
  const local = await startApp()
  const closed = await fetch(`${await servePages(local)}/robots.txt`)
  assert.equal(await closed.text(), 'User-agent: *\nDisallow: /\n')
})

test('describes the search of the site to browsers', async () => {
  await change({ name: '<Club> & "Friends" of rivers' })
  const found = await readXml('/opensearch.xml', 'application/opensearchdescription+xml')
  assert.equal(found.text('ShortName'), '<Club> & "Friend')
  assert.equal(found.elements('Url')[0]?.attributes['template'], `${BASE}/search?q={searchTerms}`)
  assert.equal((await readFeed('/feed.atom')).text('title'), '<Club> & "Friends" of rivers')
})

test('serves none of this without the web client', async () => {
  for (const path of [
    '/feed.atom',
    '/creators/mina/feed.atom',
    '/tags/a/feed.atom',
    '/sitemap.xml',
    '/sitemap-1.xml',
    '/robots.txt',
    '/opensearch.xml',
    '/favicon.ico',
    '/icon-192.png',
    '/manifest.webmanifest',
    '/.well-known/security.txt',
    '/',
  ]) {
    const answer = await fetch(app.url + path)
    assert.equal(answer.status, 404, path)
    assert.match(await answer.text(), /ROUTE_NOT_FOUND/)
  }
})
