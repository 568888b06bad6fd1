import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { askOnWire, temporaryFolder } from '../../test/files.ts'
import { makeContent } from '../../test/make.ts'
import { serveClient } from '../../test/pages.ts'
import { type Client, readClient } from './client.ts'
import { compressTexts } from './compress.ts'

const INLINE = '\n  document.title = "first"\n'
const PAGE = `<!doctype html><html lang="ko"><title>Plaza</title><script>${INLINE}</script>
<script type="module" src="/assets/main-abc.js"></script>${'<p></p>'.repeat(60)}</body></html>`
/** Matches PAGE after the server has inserted a title and a text. */
const FILLED = new RegExp(
  PAGE.replace(/[$()*+.?[\]^{|}\\]/g, '\\$&')
    .replace('<title>Plaza</title>', '<title>[^<]* - Plaza</title>[^]*')
    .replace('</body>', '[^]*<noscript>[^]*</noscript>[^]*</body>'),
)
const FILES: Record<string, string> = {
  'index.html': PAGE,
  'pages.json': JSON.stringify({
    '/tags/$tag': ['/assets/main-abc.js', '/assets/main-def.css'],
    '/contents/$id': ['/assets/main-def.css'],
    '/contents/$id article': ['/assets/main-def.css', '/assets/article-jkl.js'],
  }),
  'icon.svg': `<svg>${'<g></g>'.repeat(60)}</svg>`,
  'worker.js': 'addEventListener("fetch", () => {})',
  'assets/main-abc.js': 'export {}\n'.repeat(60),
  'assets/main-def.css': 'body { margin: 0 }\n'.repeat(60),
  'assets/font-ghi.woff2': 'font '.repeat(60),
  'assets/main-abc.js.map': 'of no known type',
}
const PATHS = ['/', '/tags/$tag', '/contents/$id', '/creators/$handle/followers']
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const folder = temporaryFolder('plaza-site-')
const built = join(folder, 'built')
mkdirSync(join(built, 'assets'), { recursive: true })
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(built, name), text)
writeFileSync(join(folder, 'secret.js'), 'not for the public')
writeFileSync(join(folder, 'paths.json'), JSON.stringify(PATHS))
await compressTexts(built)

const plain = await startApp()
const mina = await plain.user({ handle: 'mina' })
const url = await serveClient(plain, readClient(built, join(folder, 'paths.json')))

const serving = (client: Promise<Client>, patienceMs?: number) =>
  serveClient(plain, client, patienceMs)

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url + path, { method, headers: { 'accept-encoding': 'identity', ...headers } })
const visit = (path: string) => ask(path, { accept: BROWSER })

async function assertUnknown(answer: Response, why: string): Promise<void> {
  assert.equal(answer.status, 404, why)
  const { error } = (await answer.json()) as { error: { code: string } }
  assert.equal(error.code, 'ROUTE_NOT_FOUND', why)
}

test('serves the page for every path of the client', async () => {
  for (const path of ['/', '/?page=2', '/tags/%EB%B0%A4', '/creators/mina/followers/']) {
    for (const accept of [BROWSER, '*/*', 'text/*;q=0.5']) {
      const answer = await ask(path, { accept })
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.match(await answer.text(), FILLED)
    }
  }
})

test('serves other paths as 404: the page for browsers, JSON for programs', async () => {
  for (const path of [
    '/nowhere',
    '/tags',
    '/tags/',
    '/tags/a/b',
    '/index.html',
    '/pages.json',
    '/assets/gone.js',
  ]) {
    const answer = await visit(path)
    assert.equal(answer.status, 404, path)
    assert.match(await answer.text(), FILLED)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    for (const accept of ['*/*', 'application/json', 'text/html;q=0', 'text/plain']) {
      await assertUnknown(await ask(path, { accept }), `${path} ${accept}`)
    }
  }
  await assertUnknown(await ask('/', { accept: 'application/json' }), 'a page as JSON')
})

test('leaves API paths and other methods unchanged', async () => {
  for (const path of ['/api', '/api/v1/nothing', '/uploads', '/docs/nothing']) {
    await assertUnknown(await visit(path), path)
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    await assertUnknown(await ask('/', { accept: BROWSER }, method), method)
  }
  const fresh = /"request_id":"[^"]*","timestamp":"[^"]*"|"uptime[^,}]*/g
  const responseOf = async (base: string, path: string, method: string) => {
    const answer = await fetch(base + path, { method, headers: { accept: BROWSER } })
    const headers = Object.fromEntries(answer.headers)
    for (const name of ['date', 'x-request-id', 'x-ratelimit-reset']) delete headers[name]
    return { status: answer.status, headers, body: (await answer.text()).replace(fresh, '') }
  }
  for (const [path, method] of [
    ['/api/v1/feeds', 'GET'],
    ['/api/v1/feeds', 'DELETE'],
    ['/api/v1/feeds', 'OPTIONS'],
    ['/api/v1/nothing', 'GET'],
    ['/api/v1/auth/me', 'GET'],
    ['/uploads/nothing', 'GET'],
    ['/docs', 'GET'],
    ['/openapi.json', 'HEAD'],
    ['/somewhere', 'POST'],
  ] as const) {
    assert.deepEqual(
      await responseOf(url, path, method),
      await responseOf(plain.url, path, method),
      path,
    )
  }
})

test('serves files with their types, and lets hashed files be cached indefinitely', async () => {
  const types = {
    '/icon.svg': 'image/svg+xml; charset=utf-8',
    '/worker.js': 'text/javascript; charset=utf-8',
    '/assets/main-abc.js': 'text/javascript; charset=utf-8',
    '/assets/main-def.css': 'text/css; charset=utf-8',
    '/assets/font-ghi.woff2': 'font/woff2',
  }
  for (const [path, type] of Object.entries(types)) {
    const answer = await ask(path)
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), FILES[path.slice(1)])
    assert.equal(answer.headers.get('content-type'), type)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; /)
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    assert.equal(answer.headers.get('cache-control'), cache)
  }
  for (const path of ['/assets/main-abc.js.map', '/assets/main-abc.js.br', '/assets', '/assets/']) {
    await assertUnknown(await ask(path), path)
  }
})

test('serves text compressed when the client accepts it, with an ETag per encoding', async () => {
  const tags = new Set<string | null>()
  for (const [path, accept] of [
    ['/assets/main-abc.js', '*/*'],
    ['/', BROWSER],
  ] as const) {
    for (const [sent, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await ask(path, { accept, 'accept-encoding': sent })
      assert.equal(answer.headers.get('content-encoding'), coding)
      assert.match(answer.headers.get('vary') ?? '', /Accept-Encoding/)
      const text = await answer.text()
      if (path === '/') assert.match(text, FILLED)
      else assert.equal(text, FILES[path.slice(1)])
      tags.add(answer.headers.get('etag'))
    }
  }
  // The script has an ETag for each of three encodings. The page has one weak ETag for all encodings.
  assert.equal(tags.size, 4)
  const font = await ask('/assets/font-ghi.woff2', { 'accept-encoding': 'br, gzip' })
  assert.equal(font.headers.get('content-encoding'), null)
})

test('names the files of a page in its head, so that they load at once', async () => {
  const tag = await (await visit('/tags/night')).text()
  assert.ok(tag.includes('<link rel="modulepreload" crossorigin href="/assets/main-abc.js">'))
  assert.ok(tag.includes('<link rel="preload" as="style" crossorigin href="/assets/main-def.css">'))
  assert.ok(!(await (await visit('/')).text()).includes('modulepreload'))

  const article = await makeContent(mina, { type: 'article', body: 'At night' })
  const gone = await (await visit(`/contents/${article.id}0`)).text()
  assert.ok(gone.includes('main-def.css') && !gone.includes('article-jkl.js'))
  const shown = await (await visit(`/contents/${article.id}`)).text()
  assert.ok(shown.includes('<link rel="modulepreload" crossorigin href="/assets/article-jkl.js">'))
})

test('returns 304 with the same headers when the client has the file', async () => {
  for (const path of ['/', '/icon.svg', '/assets/main-abc.js']) {
    const first = await visit(path)
    const etag = first.headers.get('etag') ?? ''
    const again = await ask(path, { accept: BROWSER, 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy']) {
      assert.equal(again.headers.get(name), first.headers.get(name), name)
    }
    assert.equal((await ask(path, { 'if-none-match': '"other"' })).status, 200)
  }
  const { headers } = await visit('/')
  const gone = await ask('/nowhere', {
    accept: BROWSER,
    'if-none-match': headers.get('etag') ?? '',
  })
  assert.equal(gone.status, 404)
})

test('returns the same headers for HEAD, without a body', async () => {
  for (const path of ['/', '/assets/main-abc.js']) {
    const [get, head] = [await visit(path), await ask(path, { accept: BROWSER }, 'HEAD')]
    assert.equal(head.status, 200)
    for (const [name, value] of get.headers) {
      if (['date', 'connection', 'keep-alive'].includes(name)) continue
      assert.equal(head.headers.get(name), value, name)
    }
    assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(await get.text()))
    assert.equal((await askOnWire(url, path, 'HEAD')).body.length, 0)
  }
})

test('serves nothing outside the client, however a path is spelled', async () => {
  for (const path of [
    '/../secret.js',
    '/assets/../../secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/%2e%2e/secret.js',
    '/assets/..\\..\\secret.js',
    '//secret.js',
    '/__proto__',
    '/constructor',
    '/assets/main-abc.js%00',
  ]) {
    const { status, body } = await askOnWire(url, path)
    assert.equal(status, 404, path)
    assert.equal(JSON.parse(body.toString()).error.code, 'ROUTE_NOT_FOUND')
  }
})

test('serves the page that the service worker stores, without an answer of the API', async () => {
  const answer = await ask('/offline')
  const text = await answer.text()
  assert.deepEqual([answer.status, answer.headers.get('x-robots-tag')], [200, 'noindex'])
  assert.match(text, FILLED)
  assert.doesNotMatch(text, /plaza-data/)
})

test("allows only the page's own scripts, and only games in frames", async () => {
  const { headers } = await visit('/')
  const policy = Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name, ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )
  const inline = createHash('sha256').update(INLINE).digest('base64')
  const games = plain.deps.games.origin(new URL(url).host)
  assert.deepEqual(policy, {
    'default-src': "'none'",
    'script-src': `'self' 'sha256-${inline}'`,
    'style-src': "'self'",
    'img-src': "'self' data: blob:",
    'media-src': "'self' blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'frame-src': games,
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'worker',
  })
  const features = headers.get('permissions-policy')?.split(', ') ?? []
  for (const name of ['camera', 'microphone', 'geolocation', 'payment']) {
    assert.ok(features.includes(`${name}=()`), name)
  }
  assert.ok(features.includes('fullscreen=*'))
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('shows a notice instead of pages when the client cannot be built, and serves the API', async () => {
  const unbuiltUrl = await serving(Promise.reject(new Error('it cannot be built')))
  const page = await fetch(`${unbuiltUrl}/tags/night`, { headers: { accept: BROWSER } })
  assert.equal(page.status, 503)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.match(await page.text(), /not built/)
  assert.equal((await fetch(unbuiltUrl)).status, 503)
  await assertUnknown(await fetch(`${unbuiltUrl}/assets/main-abc.js`), 'an asset')
  assert.equal((await fetch(`${unbuiltUrl}/api/v1/feeds`)).status, 200)
  assert.equal((await fetch(`${unbuiltUrl}/docs`)).status, 200)
})

test('delays pages while the client is being built, but not the API', async () => {
  const { promise, resolve } = Promise.withResolvers<Client>()
  const slow = await serving(promise)
  const page = fetch(slow)
  assert.equal((await fetch(`${slow}/api/v1/feeds`)).status, 200)
  resolve(await readClient(built, join(folder, 'paths.json')))
  assert.match(await (await page).text(), FILLED)
})

test('shows a page that reloads itself when the build takes long', async () => {
  const { promise, resolve } = Promise.withResolvers<Client>()
  const slow = await serving(promise, 50)
  const first = await fetch(`${slow}/tags/night`, { headers: { accept: BROWSER } })
  assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '3'])
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assert.match(await first.text(), /http-equiv="refresh" content="3"[^]*being built/)
  await assertUnknown(await fetch(`${slow}/assets/main-abc.js`), 'an asset')
  resolve(await readClient(built, join(folder, 'paths.json')))
  assert.match(await (await fetch(slow)).text(), FILLED)
})
