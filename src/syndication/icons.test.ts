import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { readPage, servePages } from '../../test/pages.ts'
import { makeUpload } from '../../test/uploads.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()
const url = await servePages(app)
const admin = await app.admin()
const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
const change = async (settings: object) => {
  const { revision } = dataOf(await admin.get('/admin/site'))
  dataOf(await admin.patch('/admin/site', { revision, ...settings }))
}

/** A green square on a transparent background. */
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect x="20" y="20" width="60" height="60" fill="#0a0"/></svg>',
)

const SIZES = {
  '/favicon.ico': 48,
  '/icon-192.png': 192,
  '/icon-512.png': 512,
  '/icon-maskable-512.png': 512,
  '/apple-touch-icon.png': 180,
}

/** Returns the colours of the corner and the centre of an icon as hexadecimal RGBA. */
async function coloursOf(path: string): Promise<[corner: string, centre: string]> {
  const { data, info } = await sharp(await (await get(path)).bytes())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 4
  const colour = (start: number) => data.subarray(start, start + 4).toString('hex')
  return [colour(0), colour(middle)]
}

test('serves icons as PNG in their sizes, with a logo and without', async () => {
  const logo = await makeUpload(admin, await sharp(LOGO).png().toBuffer())
  for (const logo_upload_id of [null, logo.id]) {
    await change({ logo_upload_id })
    for (const [path, size] of Object.entries(SIZES)) {
      const answer = await get(path)
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
      const { format, width, height } = await sharp(await answer.bytes()).metadata()
      assert.deepEqual([format, width, height], ['png', size, size], path)
      const etag = answer.headers.get('etag') ?? ''
      assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
    }
  }
})

test('shows the logo whole, on an opaque background where the system cuts the icon', async () => {
  for (const [path, background] of [
    ['/icon-512.png', '00000000'],
    ['/icon-maskable-512.png', 'f7f6f3ff'],
    ['/apple-touch-icon.png', 'f7f6f3ff'],
  ] as const) {
    const [corner, centre] = await coloursOf(path)
    assert.equal(corner, background, path)
    // The stored logo is a lossy WebP, so its colour may differ slightly.
    assert.match(centre, /^0[0-3]a[89ab]0[0-3]ff$/, path)
  }
})

test('icons follow the settings of the site, and a blocked logo is not shown', async () => {
  const { id, url: logoUrl } = await makeUpload(
    admin,
    await sharp(LOGO).resize(90).png().toBuffer(),
  )
  await change({ logo_upload_id: id })
  const before = await (await get('/icon-512.png')).bytes()
  const moderator = await app.admin()
  const block = await makeDecision(moderator, 'block_file', 'file', logoUrl.slice(9, 73))
  assert.notDeepEqual(await (await get('/icon-512.png')).bytes(), before)
  dataOf(await undo(moderator, block))
  assert.deepEqual(await (await get('/icon-512.png')).bytes(), before)
  await change({ logo_upload_id: null, accent: '#aa0000' })
  assert.deepEqual((await coloursOf('/icon-maskable-512.png'))[0], 'aa0000ff')
  await change({ accent: null })
  assert.deepEqual((await coloursOf('/icon-maskable-512.png'))[0], '2b59c3ff')
})

test('the manifest has the name, the colours and the icons of the site', async () => {
  const read = async (language: string) => {
    const answer = await get('/manifest.webmanifest', { 'accept-language': language })
    assert.equal(answer.headers.get('content-type'), 'application/manifest+json; charset=utf-8')
    assert.equal(answer.headers.get('vary'), 'Accept-Language')
    return JSON.parse(await answer.text())
  }
  await change({ name: 'The river club of Seoul', description: '' })
  const before = await read('en')
  assert.equal(before.name, 'The river club of Seoul')
  assert.equal(before.short_name, 'The river cl')
  assert.deepEqual([before.lang, (await read('ko')).lang], ['en', 'ko'])
  assert.deepEqual([before.start_url, before.scope, before.display], ['/', '/', 'standalone'])
  assert.deepEqual([before.theme_color, before.background_color], ['#2b59c3', '#f7f6f3'])
  for (const { src, sizes } of before.icons) {
    const { width } = await sharp(await (await get(src)).bytes()).metadata()
    assert.equal(sizes, `${width}x${width}`)
  }
  assert.ok(before.icons.some(({ purpose }: { purpose: string }) => purpose === 'maskable'))
  await change({ accent: '#aa0000', description: 'Rivers & "stones"' })
  const after = await read('en')
  assert.deepEqual([after.theme_color, after.description], ['#aa0000', 'Rivers & "stones"'])
  assert.notEqual(after.icons[0].src, before.icons[0].src)
  const page = await readPage(url, '/')
  assert.equal(page.links['icon image/png'], after.icons[0].src)
  assert.match(page.links['apple-touch-icon'] ?? '', /^\/apple-touch-icon\.png\?v=/)
})
