import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { askOnWire, putFile } from '../../test/files.ts'

const app = await startApp()
const { dataDir } = app.deps.config
const files = join(dataDir, 'files')

test('serves only public files, however a path is spelled', async () => {
  const path = await putFile(app, 'a picture')
  const bundled = `bundles/${'c'.repeat(64)}/0.png`
  const staged = app.deps.staging.newFile()
  writeFileSync(staged, 'not for all')
  await app.deps.store.put(bundled, staged, 'image/png')
  writeFileSync(join(dataDir, 'secrets.json'), 'not for all')
  writeFileSync(join(dataDir, 'near.png'), 'not for all')
  writeFileSync(join(files, 'ff.png'), 'not for all')
  writeFileSync(join(files, '.hidden.png'), 'not for all')
  const hash = path.slice(0, 64)
  const ups = [
    '..',
    '%2e%2e',
    '.%2e',
    '%252e%252e',
    '..%00',
    '..;',
    '%c0%ae%c0%ae',
    '\xc0\xae\xc0\xae',
    '%u002e%u002e',
  ]
  const slashes = ['/', '%2f', '%5c', '\\', '%252f', '//', '%c0%af', ';/']
  const paths = [
    ...ups.flatMap((up) => slashes.map((slash) => `${up}${slash}near.png`)),
    ...ups.map((up) => `${hash}/${up}/${up}/${up}/near.png`),
    ...ups.map((up) => `${up}/secrets.json`),
    '/etc/passwd',
    '//etc/passwd',
    'C:/near.png',
    'C:%5cnear.png',
    `${dataDir}/near.png`,
    'file:///etc/passwd',
    '',
    '.',
    './',
    `./${path}`,
    `/${path}`,
    `${path}/`,
    `${path}/.`,
    `${path}.`,
    `${path}%00`,
    `${path}%00.png`,
    `${path}%20`,
    `${path}::$DATA`,
    `${path}%3f`,
    `${path};x=y`,
    `%61${path.slice(1)}`,
    path.toUpperCase(),
    path.slice(1),
    hash,
    `${hash}/`,
    path.slice(0, 2),
    `${path.slice(0, 2)}/${path}`,
    'ff.png',
    '.hidden.png',
    '.incoming/x.png',
    'incoming/x.png',
    'plaza.db',
    'plaza.db-wal',
    'secrets.json',
    bundled,
    'bundles/',
    `${'a'.repeat(20_000)}.png`,
    `${'a/'.repeat(5000)}a.png`,
    `${hash}/${'b'.repeat(300)}.png`,
    '%',
    '%zz',
    '__proto__',
    'constructor.png',
    `${hash}.__proto__`,
  ]
  assert.ok(paths.length > 100)
  for (const target of paths) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await askOnWire(app.url, `/uploads/${target}`, method)
      if (status === 431) continue
      assert.ok(status === 404 || status === 400, `${status} ${target}`)
      assert.match(headers['content-type'] ?? '', /^application\/json/, target)
      assert.doesNotMatch(body.toString(), /not for all|a picture|root:/, target)
      if (method === 'GET' && status === 404 && !/%($|zz|c0|u0)/.test(target)) {
        assert.equal(JSON.parse(body.toString()).error.code, 'UPLOAD_NOT_FOUND', target)
      }
    }
  }
  // Paths that resemble those of uploads must not reach the uploads folder.
  for (const target of [
    '/uploads',
    '/uploads/../uploads/x',
    `//uploads/${path}`,
    `/uploads%2f${path}`,
    `/Uploads/${path}`,
  ]) {
    assert.equal((await askOnWire(app.url, target)).status, 404, target)
  }
  assert.equal((await askOnWire(app.url, `/uploads/${path}?../../x`)).status, 200)
})

test('allows only listed origins to read a file, and varies caches by origin', async () => {
  const strict = await startApp({ CORS_ORIGINS: 'https://one.example' })
  const path = await putFile(strict, 'x')
  const allowed = async (origin?: string) => {
    const answer = await fetch(`${strict.url}/uploads/${path}`, {
      headers: { ...(origin && { origin }) },
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('vary'), 'Origin')
    return answer.headers.get('access-control-allow-origin')
  }
  assert.equal(await allowed('https://one.example'), 'https://one.example')
  assert.equal(await allowed('https://two.example'), null)
  assert.equal(await allowed(), null)
})

test('does not serve links, folders or pipes in the store', {
  skip: process.platform === 'win32' && 'has no such links',
}, async () => {
  const target = join(dataDir, 'elsewhere.png')
  writeFileSync(target, 'not for all')
  const plant = (digit: string) => {
    const path = `${digit.repeat(64)}.png`
    const place = join(files, digit.repeat(2), path)
    mkdirSync(dirname(place), { recursive: true })
    return { path, place }
  }
  const link = plant('1')
  symlinkSync(target, link.place)
  const relative = plant('2')
  symlinkSync('../../elsewhere.png', relative.place)
  const folder = plant('3')
  mkdirSync(folder.place)
  const loop = plant('4')
  symlinkSync(loop.place, loop.place)
  const pipe = plant('5')
  execFileSync('mkfifo', [pipe.place])
  const planted = [link, relative, folder, loop, pipe]
  for (const { path } of planted) {
    const answer = await fetch(`${app.url}/uploads/${path}`)
    assert.equal(answer.status, 404)
    assert.doesNotMatch(await answer.text(), /not for all/)
    await assert.rejects(app.deps.store.withLocalFile(path, async () => {}))
  }
  const listed = await Array.fromAsync(app.deps.store.list('')).then((stored) =>
    stored.map((file) => file.path),
  )
  for (const { path } of planted) assert.ok(!listed.includes(path))
})

test('closes only the connection when a file shrinks while it is sent', async () => {
  const size = 30_000_000
  const path = await putFile(app, Buffer.alloc(size, 'x'), '.mp4')
  const place = join(files, path.slice(0, 2), path)
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () =>
    socket.write(`GET /uploads/${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  )
  await new Promise((resolve) => socket.once('readable', resolve))
  truncateSync(place, 1000)
  let received = 0
  for await (const chunk of socket) received += (chunk as Buffer).length
  assert.ok(received < size)
  // Later responses send the truncated file. Only `plaza doctor` detects the damage.
  const again = await fetch(`${app.url}/uploads/${path}`)
  assert.equal((await again.arrayBuffer()).byteLength, 1000)
  rmSync(place)
  assert.equal((await fetch(`${app.url}/uploads/${path}`)).status, 404)
})

test('leaves no file open when a hundred clients disconnect', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async () => {
  const path = await putFile(app, Buffer.alloc(5_000_000, 'x'), '.mp4')
  // Counts only open files with this path. Idle client connections also have descriptors.
  const open = () => readdirSync('/proc/self/fd').filter((fd) => nameOf(fd).endsWith(path)).length
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const abort = new AbortController()
      if (n % 2 === 0) setTimeout(() => abort.abort(), n / 4)
      const answer = await fetch(`${app.url}/uploads/${path}`, { signal: abort.signal }).catch(
        () => null,
      )
      if (n % 2 === 1) abort.abort()
      await answer?.arrayBuffer().catch(() => {})
    }),
  )
  for (let wait = 0; open() > 0 && wait < 1200; wait++) await sleep(50)
  assert.equal(open(), 0)
})

function nameOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}
