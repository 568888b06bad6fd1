import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import {
  ask,
  launch,
  makeFlashGame,
  makeModule,
  makeModuleGame,
  makePageGame,
} from '../../test/playing.ts'
import { until } from '../../test/receiver.ts'
import type { ByteRange, OpenFile } from '../storage/store.ts'
import { RUFFLE_PATH } from './assets.ts'

const app = await startApp()
const creator = await app.user()
const player = await app.user()
const PRELUDE = '<script src="/players/prelude.js"></script>'
const game = await makePageGame(creator, {
  'index.html': '<!DOCTYPE html>\n<title>A game</title><p>Play!',
  'old.html': '<title>No doctype</title>',
  'commented.html': '<!-- <!doctype x> --> <!-- two -->\n<!doctype html PUBLIC "x"><p>',
  'levels/index.html': '<!doctype html><p>Levels',
  'levels/level 1 한.json': '{"a":1}',
  'main.js': 'export const x = 1',
  'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
  'Build/app.wasm.br': brotliCompressSync('module'),
  'Build/app.data.gz': gzipSync('data'),
  'own.bin.gz': gzipSync('unpacked by the game'),
  'empty.txt': '',
  'large.bin': Buffer.alloc(300_000, 7),
})
const base = await launch(player, game.id)
const { origin } = new URL(base)

function raw(path: string, { method = 'GET', headers = {} } = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(origin)
      const asked = httpRequest({ hostname, port, path, method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const { statusCode = 0, headers: got } = answer
          resolve({ status: statusCode, headers: got, body: Buffer.concat(chunks) })
        })
      })
      asked.on('error', reject).end()
    },
  )
}

const file = (path: string) => new URL(base).pathname + path

describe('every response of the games origin', () => {
  test('isolates its content, including errors, and sets no cookie', async () => {
    const film = await makeFlashGame(creator)
    const { pathname: filmAt } = new URL(await launch(player, film.id))
    const { play } = dataOf(await ask(player, game.id))
    const { stream } = dataOf(await ask(player, game.id, 'stream'))
    const paths = [
      new URL(play.launch_url).pathname,
      new URL(stream.url).pathname,
      file(''),
      file('index.html'),
      file('main.js'),
      file('drawing.svg'),
      file('levels'),
      file('nothing'),
      file('%zz'),
      filmAt,
      `${filmAt}file`,
      '/players/wasm.js',
      `${RUFFLE_PATH}ruffle.js`,
      '/players/nothing.js',
      '/stream/x',
      '/',
      '/api/health',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
        const { headers, status } = await raw(path, { method })
        const name = `${method} ${path} ${status}`
        assert.equal(headers['cross-origin-embedder-policy'], 'require-corp', name)
        assert.equal(headers['cross-origin-opener-policy'], 'same-origin', name)
        assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', name)
        assert.equal(headers['access-control-allow-origin'], '*', name)
        assert.ok(!('access-control-allow-credentials' in headers), name)
        assert.equal(headers['x-content-type-options'], 'nosniff', name)
        assert.equal(headers['referrer-policy'], 'no-referrer', name)
        for (const feature of ['camera', 'microphone', 'geolocation', 'usb', 'payment', 'serial']) {
          assert.match(String(headers['permissions-policy']), new RegExp(`\\b${feature}=\\(\\)`))
        }
        assert.doesNotMatch(String(headers['permissions-policy']), /gamepad|fullscreen|autoplay/)
        assert.ok(!('set-cookie' in headers), name)
        if (method === 'GET' && status === 200) assert.ok(headers['content-security-policy'], name)
      }
    }
  })

  test('has a sandbox without an origin for every file type of a bundle', async () => {
    for (const path of ['index.html', 'main.js', 'drawing.svg', 'levels/', 'large.bin']) {
      const { status, headers } = await raw(file(path))
      assert.equal(status, 200, path)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^sandbox allow-scripts allow-pointer-lock allow-orientation-lock;/)
      for (const word of [
        'allow-same-origin',
        'allow-popups',
        'allow-top',
        'allow-forms',
        'http',
      ]) {
        assert.ok(!policy.includes(word), `${path}: ${word}`)
      }
      for (const rule of ["frame-src 'none'", "object-src 'none'", "form-action 'none'"]) {
        assert.ok(policy.includes(rule), rule)
      }
    }
  })

  test('offers nothing of the API and accepts no writes', async () => {
    for (const path of [
      '/',
      '/api/health',
      '/api/v1/feeds',
      '/docs',
      '/openapi.json',
      '/uploads/x',
    ]) {
      assert.equal((await raw(path)).status, 404, path)
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await raw(file('index.html'), { method })
      assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'])
    }
    const { status, headers } = await raw(file('index.html'), { method: 'OPTIONS' })
    assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, OPTIONS'])
  })
})

describe('a bundle', () => {
  test('serves files by path with the right types, and folders by their index page', async () => {
    for (const [path, type, content] of [
      ['main.js', 'text/javascript; charset=utf-8', 'export const x = 1'],
      ['levels/level%201%20%ED%95%9C.json', 'application/json', '{"a":1}'],
      ['levels/level 1 한.json', 'application/json', '{"a":1}'],
      ['levels/level%201%20한.json'.normalize('NFD'), 'application/json', '{"a":1}'],
      ['empty.txt', 'text/plain; charset=utf-8', ''],
    ] as const) {
      const answer = await fetch(`${base}${path}`)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.get('content-type'), type)
      assert.equal(await answer.text(), content)
    }
    const folder = await fetch(`${base}levels`)
    assert.equal(folder.url, `${base}levels/`)
    assert.ok((await folder.text()).endsWith('<p>Levels'))
    assert.ok((await (await fetch(base)).text()).endsWith('Play!'))
  })

  test('serves no file outside the bundle, however a path is encoded', async () => {
    const up = ['..', '%2e%2e', '.%2e', '%2E.', '..%00', '%c0%ae%c0%ae', '..;']
    const separators = ['/', '%2f', '\\', '%5c', '//', '/./']
    const targets = ['package.json', 'etc/passwd', 'plaza.db', 'secrets.json', 'index.html%00.js']
    for (const dots of up) {
      for (const slash of separators) {
        for (const target of targets) {
          const path = `game/${`${dots}${slash}`.repeat(3)}${target}`
          const { status, headers } = await raw(encodeURI(file(path)).replaceAll('%25', '%'))
          assert.ok(status === 404 || status === 403, `${path}: ${status}`)
          assert.match(String(headers['content-type']), /json/)
        }
      }
    }
    for (const path of [
      'game//etc/passwd',
      'game/C:/x',
      'game/%00',
      'game/constructor',
      'game/__proto__',
      'game/INDEX.html',
      'game/index.html/',
      'game/0',
      `game/${'x'.repeat(8000)}`,
      'file',
      'player',
    ]) {
      assert.equal((await raw(file(path))).status, 404, path)
    }
  })

  test('supports ranges and conditional requests', async () => {
    const url = `${base}large.bin`
    const part = await fetch(url, { headers: { range: 'bytes=299990-' } })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), 'bytes 299990-299999/300000')
    assert.equal((await part.arrayBuffer()).byteLength, 10)
    assert.equal((await fetch(url, { headers: { range: 'bytes=300000-' } })).status, 416)
    for (const path of ['large.bin', 'index.html', 'Build/app.data.gz']) {
      const whole = await fetch(`${base}${path}`)
      const etag = whole.headers.get('etag') as string
      const known = { 'if-none-match': etag }
      await whole.arrayBuffer()
      assert.equal((await fetch(`${base}${path}`, { headers: known })).status, 304, path)
      const head = await fetch(`${base}${path}`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('etag')], [200, etag])
      assert.match(whole.headers.get('cache-control') ?? '', /^private, max-age=/)
    }
  })

  test('lets the browser decompress files that game engines compressed, and no others', async () => {
    for (const [path, encoding, type, content] of [
      ['Build/app.wasm.br', 'br', 'application/wasm', 'module'],
      ['Build/app.data.gz', 'gzip', 'application/octet-stream', 'data'],
    ] as const) {
      const taking = { headers: { 'accept-encoding': 'gzip, br' } }
      const answer = await fetch(`${base}${path}`, taking)
      assert.equal(answer.headers.get('content-encoding'), encoding)
      assert.equal(answer.headers.get('content-type'), type)
      assert.match(answer.headers.get('vary') ?? '', /accept-encoding/i)
      assert.equal(await answer.text(), content)
      for (const taken of ['identity', `${encoding};q=0`]) {
        const plain = await raw(file(path), { headers: { 'accept-encoding': taken } })
        assert.equal(plain.headers['content-encoding'], undefined)
        assert.equal(plain.headers['content-type'], 'application/octet-stream')
        assert.notEqual(plain.headers['etag'], answer.headers.get('etag'))
      }
    }
    const own = await fetch(`${base}own.bin.gz`)
    assert.equal(own.headers.get('content-encoding'), null)
    assert.deepEqual(Buffer.from(await own.arrayBuffer()), gzipSync('unpacked by the game'))
  })

  test('inserts the prelude after the doctype of pages and changes no other byte', async () => {
    for (const [path, start] of [
      ['index.html', `<!DOCTYPE html>${PRELUDE}\n<title>`],
      ['old.html', `${PRELUDE}<title>No doctype`],
      [
        'commented.html',
        `<!-- <!doctype x> --> <!-- two -->\n<!doctype html PUBLIC "x">${PRELUDE}<p>`,
      ],
    ] as const) {
      const page = await (await fetch(`${base}${path}`)).text()
      assert.ok(page.startsWith(start), page)
    }
    const BOM = '\ufeff'
    const pages = await makePageGame(creator, {
      'index.html': `${BOM}<!doctype html><p>`,
      'bom.html': `${BOM}<p>`,
      'wide.html': Buffer.from(`${BOM}<!doctype html><p>wide`, 'utf16le'),
      'long.html': `<!doctype html>${'<!-- -->'.repeat(20_000)}<p>end`,
      'comments.html': '<!-- -->'.repeat(20_000),
      'empty.html': '',
    })
    const launchUrl = await launch(player, pages.id)
    const bytesOf = async (path: string) =>
      Buffer.from(await (await fetch(`${launchUrl}${path}`)).arrayBuffer())
    assert.equal((await bytesOf('index.html')).toString(), `${BOM}<!doctype html>${PRELUDE}<p>`)
    assert.equal((await bytesOf('bom.html')).toString(), `${BOM}${PRELUDE}<p>`)
    const wide = `${BOM}<!doctype html>${PRELUDE}<p>wide`
    assert.equal((await bytesOf('wide.html')).toString('utf16le'), wide)
    assert.equal((await bytesOf('long.html')).length, 15 + PRELUDE.length + 160_000 + 6)
    assert.equal((await bytesOf('comments.html')).length, PRELUDE.length + 160_000)
  })
})

test('closes the file when the client disconnects before the first byte of a page', async () => {
  const { id } = await makePageGame(creator, {
    'index.html': `<!doctype html>${'<!-- -->'.repeat(20_000)}`,
  })
  const { hostname, port, pathname } = new URL(await launch(player, id))
  const { store } = app.deps
  const opened: Readable[] = []
  const open = store.open.bind(store)
  const leaving = httpRequest({ hostname, port, path: pathname }).on('error', () => {})
  store.open = async (path) => {
    const opening = (await open(path)) as OpenFile
    leaving.destroy()
    await sleep(200)
    const read = async (range: ByteRange) => {
      const bytes = (await opening.read(range)) as Readable
      opened.push(bytes)
      return bytes
    }
    const { sizeBytes, modifiedAt } = opening
    return { sizeBytes, modifiedAt, read, close: () => opening.close() }
  }
  try {
    leaving.end()
    await until(() => opened.length === 1 && opened[0]?.closed === true, 'the file to be closed')
  } finally {
    store.open = open
  }
})

test("serves a module and a player page that runs only the server's scripts", async () => {
  const { id } = await makeModuleGame(creator)
  const launchUrl = await launch(player, id)
  const page = await fetch(launchUrl)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^sandbox allow-scripts /)
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/)
  assert.doesNotMatch(await page.text(), /<script(?! src="\/players\/)/)
  const module = await fetch(`${launchUrl}file`)
  assert.equal(module.headers.get('content-type'), 'application/wasm')
  const bytes = Buffer.from(await module.arrayBuffer())
  assert.ok(bytes.equals(makeModule()), 'the module is unchanged, since its memory has a maximum')
  assert.equal((await fetch(`${launchUrl}index.html`)).status, 404)
})

test('escapes the title of a game on its page', async () => {
  const title = '</title><script>alert("1")</script>&amp;'
  const { id } = await makeModuleGame(creator, { title })
  const page = await (await fetch(await launch(player, id))).text()
  assert.ok(!page.includes('<script>alert'))
  assert.ok(
    page.includes('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;'),
  )
})
