import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { dataOf, makeContent } from '../../test/make.ts'
import { readPage, servePages } from '../../test/pages.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'

const BASE = 'https://plaza.example'
const app = await startApp({ PUBLIC_URL: BASE })
const site = await servePages(app)
await app.admin()
const mina = await app.user()

test('previews a wide version of a picture, and preloads the version that fits the window', async () => {
  const upload = await makeUpload(mina, await drawing(1500, 750).png().toBuffer())
  const { id } = await makeContent(mina, { title: 'Wide', upload_ids: [upload.id] })
  const path = `/contents/${id}`
  const preloadOf = ({ html }: { html: string }) =>
    /<link rel="preload" as="image" .*?>/.exec(html)?.[0]
  const tag = '<link rel="preload" as="image" fetchpriority="high"'
  const shown = async () => dataOf(await app.anon.get(path)).content
  await until(async () => (await app.count("jobs where kind = 'sizes'")) === 0, 'the sizes')
  const { media, thumbnail_sizes } = await shown()
  const [{ url, sizes }] = media
  const wide = sizes.find(({ width }: Loose) => width === 1280).url
  const page = await readPage(site, path)
  assert.deepEqual([page.meta['og:image'], wide], [BASE + wide, thumbnail_sizes.at(-1).url])
  const sources = [...sizes, { url, width: 1500 }].map((source) => `${source.url} ${source.width}w`)
  assert.equal(
    preloadOf(page),
    `${tag} href="${url}" imagesrcset="${sources.join(', ')}" imagesizes="min(min(100vw, 60rem), 2.000 * 80vh)">`,
  )
  assert.ok(page.opening.includes('width="1500" height="750"'))
  const game = await makeContent(mina, { category: 'jump', type: 'game' })
  const plain = await readPage(site, `/contents/${game.id}`)
  assert.deepEqual([preloadOf(plain), plain.opening], [undefined, ''])
})
