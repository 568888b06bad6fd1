import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { dataOf, makeContent } from '../../test/make.ts'
import { servePages } from '../../test/pages.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'
import { parseXml } from '../../test/xml.ts'

const BASE = 'https://plaza.example'
const app = await startApp({ PUBLIC_URL: BASE })
const url = await servePages(app)
const admin = await app.admin()
const mina = await app.user({ handle: 'mina', display_name: 'Mina' })

const HOSTILE = `</title></iframe><script>alert("'&amp;]]>")</script>\u202e`
const SHOWN = HOSTILE.replace('\u202e', '')
const BROWSER = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en' }

const picture = await makeUpload(mina, await drawing(1200, 800).png().toBuffer())
const photo = await makeContent(mina, { title: HOSTILE, upload_ids: [picture.id] })
const article = await makeContent(mina, { type: 'article', title: HOSTILE, body: HOSTILE })
const game = await makeContent(mina, { category: 'jump', type: 'game', title: HOSTILE })

const embed = (id: string, headers: Record<string, string> = BROWSER) =>
  fetch(`${url}/embed/${id}`, { headers })
const ask = (query: Record<string, string>) =>
  fetch(`${url}/oembed?${new URLSearchParams(query).toString()}`)
const oembed = async (id: string, more: Record<string, string> = {}): Promise<Loose> => {
  const answer = await ask({ url: `${BASE}/contents/${id}`, ...more })
  assert.equal(answer.status, 200)
  return answer.json()
}
const decide = async (id: string, action: object) => {
  const decision = { subject: { kind: 'content', id }, reason: 'sexual', note: 'n', ...action }
  dataOf(await admin.post('/admin/decisions', decision), 201)
}

test('shows content in frames of any site, without scripts and cookies', async () => {
  const answer = await embed(photo.id)
  const html = await answer.text()
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(answer.headers.get('set-cookie'), null)
  assert.equal(answer.headers.get('x-frame-options'), null)
  assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  const policy = (answer.headers.get('content-security-policy') ?? '').split('; ')
  assert.ok(policy.includes('frame-ancestors *'))
  assert.ok(policy.includes("default-src 'none'"))
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? ''
  const digest = createHash('sha256').update(style).digest('base64')
  assert.ok(policy.includes(`style-src 'sha256-${digest}'`))
  assert.doesNotMatch(html, /style="|\son\w+="/)
  assert.match(html, /<meta name="robots" content="noindex">/)
  const { content } = dataOf(await app.anon.get(`/contents/${photo.id}`))
  assert.ok(html.includes(`<img src="${content.media[0].url}"`))
  assert.ok(html.includes(`<a href="${BASE}/contents/${photo.id}" target="_blank" rel="noopener">`))
})

test('escapes hostile titles in every kind of frame', async () => {
  for (const { id } of [photo, article, game]) {
    const html = await (await embed(id)).text()
    assert.doesNotMatch(html, /<script|<\/iframe/)
    assert.doesNotMatch(html, /\p{Bidi_Control}/u)
    assert.equal(html.match(/<\/title>/g)?.length, 1)
    assert.ok(html.includes('&lt;script&gt;alert(&quot;&#39;&amp;amp;]]&gt;&quot;)'))
  }
  assert.match(await (await embed(game.id)).text(), /<a class="play" [^>]*>Play on Plaza<\/a>/)
  assert.match(await (await embed(article.id)).text(), /<article class="text">/)
})

test('returns 404 for what an anonymous viewer cannot open', async () => {
  const draft = await makeContent(mina, { title: 'Secret', publish: false })
  const hidden = await makeContent(mina, { title: 'Secret' })
  assert.equal((await embed(hidden.id)).status, 200)
  await decide(hidden.id, { action: 'hide', reason: 'spam' })
  const archived = await makeContent(mina, { title: 'Secret' })
  const followers = await makeContent(mina, { title: 'Secret', visibility: 'followers' })
  const nowhere = await makeContent(mina, { title: 'Secret', embedding: 'nowhere' })
  dataOf(await mina.delete(`/contents/${archived.id}`), 204)
  for (const id of [
    ...[draft, hidden, archived, followers, nowhere].map((content) => content.id),
    'cnt_x',
    'a%00',
    '..%2f..',
  ]) {
    const page = await embed(id)
    const html = await page.text()
    assert.equal(page.status, 404, id)
    assert.match(html, /not available/)
    assert.ok(!html.includes('Secret'))
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors \*/)
    const error = await embed(id, { accept: 'application/json' })
    assert.equal(error.status, 404)
    assert.match(await error.text(), /"code":"CONTENT_NOT_FOUND"/)
    const described = await ask({ url: `${BASE}/contents/${id}` })
    assert.equal(described.status, 404)
    assert.match(await described.text(), /"code":"ROUTE_NOT_FOUND"/)
  }
})

test('hides adult pictures until a click, and describes them without a picture', async () => {
  const adult = await makeContent(mina, { title: 'Adult', upload_ids: [picture.id] })
  await decide(adult.id, { action: 'rate', rating: 'adult' })
  const html = await (await embed(adult.id)).text()
  assert.match(html, /<label class="veil"><input type="checkbox">This is adult content/)
  const link = await oembed(adult.id)
  assert.equal(link.type, 'rich')
  assert.ok(!JSON.stringify(link).includes('/uploads/'))
  const change = async (adult_default: 'hide' | 'blur') => {
    const { revision } = dataOf(await admin.get('/admin/site'))
    dataOf(await admin.patch('/admin/site', { revision, adult_default }))
  }
  await change('hide')
  assert.equal((await embed(adult.id)).status, 404)
  assert.equal((await ask({ url: `${BASE}/contents/${adult.id}` })).status, 404)
  await change('blur')
  assert.equal((await embed(adult.id)).status, 200)
})

test('shows unlisted content to everyone who has its address', async () => {
  const { id } = await makeContent(mina, { title: 'For friends', visibility: 'unlisted' })
  assert.match(await (await embed(id)).text(), /For friends/)
  assert.equal((await oembed(id)).title, 'For friends')
})

test('describes content as oEmbed, as JSON and XML', async () => {
  const { content } = dataOf(await app.anon.get(`/contents/${photo.id}`))
  const answer = await ask({ url: `${BASE}/contents/${photo.id}?utm=1#part` })
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  const link = (await answer.json()) as Loose
  assert.deepEqual(link, {
    type: 'photo',
    version: '1.0',
    title: SHOWN,
    author_name: 'Mina',
    author_url: `${BASE}/creators/mina`,
    provider_name: 'Plaza',
    provider_url: `${BASE}/`,
    thumbnail_url: BASE + content.thumbnail_url,
    thumbnail_width: 640,
    thumbnail_height: 427,
    url: BASE + content.media[0].url,
    width: 1200,
    height: 800,
  })
  const xml = await ask({ url: `${BASE}/contents/${photo.id}`, format: 'xml' })
  assert.equal(xml.headers.get('content-type'), 'text/xml; charset=utf-8')
  const root = parseXml(await xml.text())
  assert.equal(root.name, 'oembed')
  for (const [name, value] of Object.entries(link)) assert.equal(root.text(name), String(value))
  const rich = await oembed(article.id)
  assert.deepEqual([rich.type, rich.width, rich.height], ['rich', 640, 524])
  assert.match(rich.html, /^<iframe src="https:\/\/plaza\.example\/embed\/cnt_\w+" width="640" /)
  assert.doesNotMatch(rich.html.slice(0, -'</iframe>'.length), /<\/iframe|<script/)
  const video = await makeContent(mina, { type: 'video' })
  assert.equal((await oembed(video.id)).type, 'video')
  assert.equal((await oembed(game.id)).type, 'rich')
  const embedded = await ask({ url: `${BASE}/embed/${photo.id}` })
  assert.equal(((await embedded.json()) as Loose).type, 'photo')
})

test('scales descriptions to the size that the consumer allows', async () => {
  const small = await oembed(photo.id, { maxwidth: '600' })
  assert.deepEqual([small.width, small.height], [600, 400])
  const flat = await oembed(photo.id, { maxwidth: '600', maxheight: '100' })
  assert.deepEqual([flat.width, flat.height], [150, 100])
  const large = await oembed(photo.id, { maxwidth: '5000', maxheight: '5000' })
  assert.deepEqual([large.width, large.height], [1200, 800])
  const frame = await oembed(article.id, { maxwidth: '320' })
  assert.deepEqual([frame.width, frame.height], [320, 262])
  assert.match(frame.html, /width="320" height="262"/)
})

test('rejects other addresses, formats and sizes', async () => {
  for (const [query, status, code] of [
    [{}, 422, 'VALIDATION_ERROR'],
    [{ url: '' }, 422, 'VALIDATION_ERROR'],
    [{ url: `${BASE}/contents/${photo.id}`, maxwidth: 'wide' }, 422, 'VALIDATION_ERROR'],
    [{ url: `${BASE}/contents/${photo.id}`, format: 'yaml' }, 501, 'NOT_IMPLEMENTED'],
    [{ url: `https://other.example/contents/${photo.id}` }, 404, 'ROUTE_NOT_FOUND'],
    [{ url: `${BASE}.evil.example/contents/${photo.id}` }, 404, 'ROUTE_NOT_FOUND'],
    [{ url: `${BASE}/creators/mina` }, 404, 'ROUTE_NOT_FOUND'],
    [{ url: 'not an address' }, 404, 'ROUTE_NOT_FOUND'],
    [{ url: `javascript:${photo.id}` }, 404, 'ROUTE_NOT_FOUND'],
  ] as const) {
    const answer = await ask(query)
    const { error } = (await answer.json()) as Loose
    assert.deepEqual([answer.status, error.code], [status, code], JSON.stringify(query))
  }
})

test('responds with 304 until the content changes, and serves nothing without the client', async () => {
  const first = await embed(photo.id)
  const headers = { ...BROWSER, 'if-none-match': first.headers.get('etag') ?? '' }
  assert.equal((await embed(photo.id, headers)).status, 304)
  dataOf(await mina.patch(`/contents/${photo.id}`, { title: 'Changed' }))
  assert.equal((await embed(photo.id, headers)).status, 200)
  for (const path of [`/embed/${photo.id}`, `/oembed?url=${BASE}/contents/${photo.id}`]) {
    const answer = await fetch(app.url + path)
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /"code":"ROUTE_NOT_FOUND"/)
  }
})
