/** Reads page heads and feeds with third-party parsers, as link previews, search engines and feed readers do. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { parseAtomFeed } from 'feedsmith'
import ogs from 'open-graph-scraper'
import { startApp } from './app.ts'
import { makeContent, makePost } from './make.ts'
import { readPage, servePages } from './pages.ts'
import { drawing, makeBrokenMp4, makeUpload, makeWav } from './uploads.ts'

interface Issue {
  severity: 'ERROR' | 'WARNING'
  issueMessage: string
}
// The package contains no types.
const { default: Validator } = createRequire(import.meta.url)(
  '@adobe/structured-data-validator',
) as {
  default: new () => { validate(found: object): Promise<Issue[]> }
}

const BASE = 'https://plaza.example'
const app = await startApp({ PUBLIC_URL: BASE, FFMPEG: 'off' })
const url = await servePages(app)
const mina = await app.user({ handle: 'mina', display_name: 'Mina' })
const upload = async (bytes: Buffer) => (await makeUpload(mina, bytes)).id as string
const picture = await upload(await drawing(64).png().toBuffer())
const ABOUT = 'At night & by day'
const make = async (type: string, files: string[], over: object = {}) =>
  makeContent(mina, {
    type,
    title: `A "${type}" <1>`,
    description: ABOUT,
    upload_ids: files,
    thumbnail_upload_id: picture,
    tags: ['night'],
    ...over,
  })
const video = await make('video', [await upload(makeBrokenMp4(1000))])
const image = await make('image', [picture])
const audio = await make('audio', [await upload(makeWav())])
const article = await make('article', [], { body: 'It rained.' })
const game = await make('game', [], { category: 'jump' })
const post = await makePost(mina, 'A new film tonight')

/** Properties that Google's documentation requires or recommends for each type. */
const NEEDED: Record<string, string[]> = {
  VideoObject: ['name', 'description', 'thumbnailUrl', 'uploadDate', 'contentUrl', 'embedUrl'],
  ImageObject: ['name', 'contentUrl', 'thumbnailUrl', 'creator', 'creditText'],
  AudioObject: ['name', 'contentUrl', 'thumbnailUrl', 'uploadDate', 'duration'],
  Article: ['headline', 'author', 'datePublished', 'dateModified', 'image'],
  VideoGame: ['name', 'image', 'applicationCategory', 'operatingSystem', 'gamePlatform'],
  ProfilePage: ['mainEntity', 'dateCreated'],
  DiscussionForumPosting: ['author', 'datePublished', 'text', 'url', 'interactionStatistic'],
  WebSite: ['name', 'url', 'potentialAction'],
}

const title = (type: string) => `A "${type}" <1>`
for (const [path, type, ogType, ogTitle, ogDescription] of [
  ['/', 'WebSite', 'website', 'Plaza', undefined],
  ['/swipe', undefined, 'website', 'Swipe', undefined],
  ['/search?q=rain', undefined, 'website', undefined, undefined],
  ['/tags/night', undefined, 'website', '#night', undefined],
  [`/creators/mina`, 'ProfilePage', 'profile', 'Mina (@mina)', undefined],
  [`/posts/${post.id}`, 'DiscussionForumPosting', 'article', undefined, 'A new film tonight'],
  [`/contents/${video.id}`, 'VideoObject', 'video.other', title('video'), ABOUT],
  [`/contents/${image.id}`, 'ImageObject', 'website', title('image'), ABOUT],
  [`/contents/${audio.id}`, 'AudioObject', 'music.song', title('audio'), ABOUT],
  [`/contents/${article.id}`, 'Article', 'article', title('article'), ABOUT],
  [`/contents/${game.id}`, 'VideoGame', 'website', title('game'), ABOUT],
] as const) {
  test(`${path.replace(/\w+_\w+/, String(type))} has a link preview and structured data that parsers accept`, async () => {
    const { html, canonical, structured } = await readPage(url, path)
    const { error, result } = await ogs({ html })
    assert.equal(error, false)
    assert.equal(result.ogType, ogType)
    if (ogTitle) assert.equal(result.ogTitle, ogTitle)
    assert.ok(result.ogTitle)
    if (ogDescription) assert.equal(result.ogDescription, ogDescription)
    assert.ok(result.ogDescription)
    assert.deepEqual([result.ogUrl, result.ogSiteName], [canonical, 'Plaza'])
    assert.ok(canonical?.startsWith(BASE), canonical)
    const isContent = path.startsWith('/contents/')
    const own = isContent ? `${BASE}${image.thumbnail_url}` : `${BASE}/icon-512.png`
    assert.deepEqual(
      result.ogImage?.map((found) => found.url),
      [own],
    )
    assert.equal(result.twitterCard, isContent ? 'summary_large_image' : 'summary')

    if (!type) return
    assert.deepEqual([structured['@context'], structured['@type']], ['https://schema.org', type])
    const missing = NEEDED[type]?.filter((name) => structured[name] == null)
    assert.deepEqual(missing, [])
    assertWellFormed(structured)
    const issues = await new Validator().validate({ jsonld: { [type]: [structured] } })
    assert.deepEqual(
      issues.filter(({ severity }) => severity === 'ERROR'),
      [],
    )
  })
}

test('a missing page is read as missing, with a title and without a picture of content', async () => {
  const { status, html, structured } = await readPage(url, '/contents/cnt_missing')
  assert.equal(status, 404)
  const { result } = await ogs({ html })
  assert.ok(result.ogTitle)
  assert.deepEqual(
    result.ogImage?.map((found) => found.url),
    [`${BASE}/icon-512.png`],
  )
  assert.equal(structured, undefined)
})

test('a feed reader finds the entries, files and authors of every Atom feed', async () => {
  for (const path of ['/feed.atom', '/creators/mina/feed.atom', '/tags/night/feed.atom']) {
    const feed = parseAtomFeed(await (await fetch(url + path)).text())
    assert.equal(feed.id, BASE + path)
    assert.ok(feed.updated && !Number.isNaN(Date.parse(feed.updated)))
    assert.deepEqual(
      feed.entries?.map((entry) => entry.title?.value),
      [game, article, audio, image, video].map((content) => content.title),
    )
    const entry = feed.entries?.find(({ id }) => id === `${BASE}/contents/${audio.id}`)
    assert.equal(entry?.summary?.value, ABOUT)
    assert.deepEqual(
      entry.authors?.map(({ name, uri }) => [name, uri]),
      [['Mina', `${BASE}/creators/mina`]],
    )
    assert.deepEqual(
      entry.categories?.map(({ term }) => term),
      ['night'],
    )
    const links = entry.links?.map(({ rel, href, type }) => [rel, href, type])
    assert.deepEqual(links, [
      ['alternate', `${BASE}/contents/${audio.id}`, 'text/html'],
      ['enclosure', BASE + audio.media[0].url, 'audio/wav'],
    ])
  }
})

/** Asserts that all objects have a type, all addresses are absolute, and all times and durations are ISO 8601. */
function assertWellFormed(value: unknown, name = ''): void {
  if (Array.isArray(value)) for (const entry of value) assertWellFormed(entry, name)
  else if (typeof value === 'object' && value !== null) {
    assert.ok('@type' in value, name)
    for (const [key, entry] of Object.entries(value)) assertWellFormed(entry, key)
  } else if (/url$|^image$|^mainEntityOfPage$/i.test(name)) {
    assert.equal(new URL(String(value)).origin, BASE, name)
  } else if (/date/i.test(name)) {
    assert.match(String(value), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, name)
  } else if (name === 'duration') assert.match(String(value), /^PT\d+S$/)
}
