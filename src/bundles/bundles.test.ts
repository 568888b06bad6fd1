import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { archive } from '../../test/archives.ts'
import { htmlGame, htmlGameFiles, swfGame, wasmGame } from '../../test/games.ts'
import { assertError, dataOf, times, valuesOf } from '../../test/make.ts'
import { zipOf } from '../../test/playing.ts'
import {
  assertNothingLeft,
  formWith,
  makeUpload,
  makePng,
  sendForm,
  upload,
} from '../../test/uploads.ts'
import {
  body,
  custom,
  exported,
  imported,
  limits,
  listOf,
  MAGIC,
  module,
  section,
  startable,
  type,
} from '../../test/wasm.ts'
import { findBundle, findBundleFile } from './queries.ts'
import { bundlePath, insertBundle } from './rules.ts'
import { WASM_CONTRACT, WASM_LIMITS } from './wasm-contract.ts'

const app = await startApp()
const ana = await app.user()
const { db, store } = app.deps

async function stored(path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await store.read(path)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function namesBelow(prefix: string): Promise<string[]> {
  const names: string[] = []
  for await (const { path } of store.list(prefix)) names.push(path)
  return names.sort()
}

test('publishes the whole contract and enforces it', async () => {
  const answer = await app.anon.get('/api/wasm/contract')
  const contract = dataOf(answer)
  assert.deepEqual(contract, JSON.parse(JSON.stringify(WASM_CONTRACT)))
  assert.deepEqual(Object.keys(contract), ['version', 'isolation', 'limits', 'allowed_imports'])
  for (const limit of Object.values(contract.limits)) assert.ok(Number.isSafeInteger(limit))
  assertError(await app.anon.get('/wasm/contract'), 404, 'ROUTE_NOT_FOUND')

  const CODES: Record<string, number> = { i32: 0x7f, f64: 0x7c }
  const codesOf = (types: string[]) => types.map((name) => CODES[name] as number)
  for (const { module: from, name, kind, params, results } of contract.allowed_imports) {
    assert.equal(kind, 'function')
    const importing = (more: string[]) => {
      const types = listOf(1, type(codesOf([...params, ...more]), codesOf(results)), type())
      const started = [listOf(3, 1), section(8, 1), listOf(10, body([]))]
      return module(types, listOf(2, imported(from, name)), ...started)
    }
    await makeUpload(ana, importing([]))
    assertRefused(await upload(ana, importing(['i32'])), /"[a-z_.]+"/)
  }
  const pages = contract.limits.max_memory_pages
  await makeUpload(ana, startable(listOf(5, limits(pages))))
  assertRefused(await upload(ana, startable(listOf(5, limits(pages + 1)))), /max_memory_pages/)
})

test('rejects a module without frame, init or a start function, with the reason', async () => {
  const add = [listOf(1, type()), listOf(3, 0), listOf(7, exported('add', 0)), listOf(10, body([]))]
  for (const bytes of [MAGIC, module(...add)]) {
    const answer = await sendForm(ana, formWith(bytes), { 'accept-language': 'en' })
    assertRefused(answer, /^This WebAssembly module never starts\. Export a function named frame/)
  }
  await makeUpload(ana, startable())
  for (const name of ['init', 'frame']) {
    const entry = [listOf(1, type()), listOf(3, 0), listOf(7, exported(name, 0))]
    await makeUpload(ana, module(...entry, listOf(10, body([]))))
    // The module is rejected because it exports a memory under the name of a function.
    const memory = module(listOf(5, limits(1)), listOf(7, exported(name, 2)))
    assertRefused(await upload(ana, memory), /frame/)
  }
})

function assertRefused(answer: Awaited<ReturnType<typeof upload>>, text: RegExp): void {
  assertError(answer, 422, 'VALIDATION_ERROR')
  const details = answer.error?.details ?? []
  assert.deepEqual(valuesOf(details, 'field'), ['file'])
  assert.match(details[0]?.message ?? '', text)
}

test('rejects too many files or entries in an archive, naming the limit', async () => {
  const named = (count: number, name: (i: number) => string) =>
    archive(Array.from({ length: count }, (_, i) => ({ name: name(i) })))
  const refused = async (bytes: Buffer, text: RegExp) => {
    const answer = await sendForm(ana, formWith(bytes), { 'accept-language': 'en' })
    assertRefused(answer, text)
  }
  const page = (i: number) => `${i}.html`
  await refused(named(2001, page), /^An archive can have at most 2000 files\.$/)
  await refused(
    named(10_001, (i) => `${i}/`),
    /^Too many items\. Maximum: 10000\.$/,
  )
  await refused(
    named(10_001, (i) => `.left/${i}`),
    /^Too many items\. Maximum: 10000\.$/,
  )
  // 10,000 folders are within the limit, so the archive is rejected for its missing page.
  await refused(
    named(10_000, (i) => `${i}/`),
    /no HTML page/,
  )
  await assertNothingLeft(app)
})

test('stores the files of an archive by position and finds them by path', async () => {
  const files = await htmlGameFiles()
  const { sha256 } = await makeUpload(ana, await htmlGame())
  const bundle = await findBundle(db, sha256)
  assert.deepEqual([bundle?.runtime, bundle?.entry], ['html5', 'index.html'])
  assert.equal(JSON.parse(bundle?.facts ?? '').files, Object.keys(files).length)
  for (const [position, [path, content]] of Object.entries(files).entries()) {
    const row = await findBundleFile(db, sha256, path)
    assert.deepEqual([row?.position, row?.size_bytes], [position, Buffer.from(content).length])
    assert.ok((await stored(bundlePath(sha256, position))).equals(Buffer.from(content)))
  }
  assert.equal((await namesBelow(`bundles/${sha256}/`)).length, Object.keys(files).length)
  for (const path of ['INDEX.html', 'index.html/', './index.html', '', 'a\0', 'x'.repeat(5000)]) {
    assert.equal(await findBundleFile(db, sha256, path), undefined)
  }
  assert.equal(await findBundleFile(db, 'f'.repeat(64), 'index.html'), undefined)
  await assertNothingLeft(app)
})

test('finds a file by its path in NFC and NFD', async () => {
  const name = '그림/한강.png'
  const page = { 'index.html': '<!doctype html>한' }
  const { sha256 } = await makeUpload(ana, await zipOf({ ...page, [name.normalize('NFD')]: 'x' }))
  for (const form of ['NFC', 'NFD'] as const) {
    assert.equal((await findBundleFile(db, sha256, name.normalize(form)))?.path, name)
  }
})

test('adds charset=utf-8 only to text that is UTF-8', async () => {
  const korean = Buffer.from([0xb0, 0xd4, 0xc0, 0xd3])
  const files = {
    'index.html': '<!doctype html>게임',
    'old.html': Buffer.concat([Buffer.from('<meta charset=euc-kr>'), korean]),
    'cut.js': Buffer.from('게임').subarray(0, 5),
    'a.js': '// 게임',
    'a.JSON': '{}',
    'a.png': 'x',
    'Build/app.wasm.br': 'x',
    'Build/app.framework.js.gz': 'x',
    'Build/app.data.gz': 'x',
    'Build/app.unityweb': 'x',
    'level.json.gz': 'x',
    'save.constructor': 'x',
    noextension: 'x',
  }
  const { sha256 } = await makeUpload(ana, await zipOf(files))
  const types = Object.keys(files).map(
    async (path) => (await findBundleFile(db, sha256, path))?.mime_type,
  )
  assert.deepEqual(await Promise.all(types), [
    'text/html; charset=utf-8',
    'text/html',
    'text/javascript',
    'text/javascript; charset=utf-8',
    'application/json',
    'image/png',
    'application/wasm',
    'text/javascript',
    ...Array(5).fill('application/octet-stream'),
  ])
})

test('stores a module as uploaded and in its playable version, and a Flash file as uploaded', async () => {
  const game = wasmGame()
  const { sha256 } = await makeUpload(ana, game)
  assert.equal((await findBundle(db, sha256))?.runtime, 'wasm')
  assert.ok((await stored(bundlePath(sha256, 0))).equals(game))
  const played = await findBundleFile(db, sha256, 'bounded.wasm')
  assert.equal(played?.position, 1)
  assert.equal((await stored(bundlePath(sha256, 1))).length, played?.size_bytes)
  const film = await makeUpload(ana, swfGame())
  const bundle = await findBundle(db, film.sha256)
  assert.deepEqual([bundle?.runtime, bundle?.entry], ['swf', null])
  assert.equal(JSON.parse(bundle?.facts ?? '').action_script, 3)
  assert.ok((await stored(bundlePath(film.sha256, 0))).equals(swfGame()))
})

test('explains a rejection in the language of the request, and stores nothing', async () => {
  const before = await namesBelow('')
  const rows = 'select count(*) as n from files union all select count(*) from bundles'
  const counted = await app.sql(rows)
  const bad: [Buffer, RegExp][] = [
    [archive([{ name: 'readme.txt' }]), /^This archive has no HTML page\.$/],
    [archive([{ name: '../index.html' }]), /"\.\.\/index\.html"/],
    [archive([{ name: 'index.html', content: 'x', crc: 1 }]), /"index\.html"/],
    [archive([{ name: 'index.html', content: 'x', size: 2 ** 31 }]), /512 MiB/],
    [module(listOf(1, type()), listOf(2, imported('env', 'fork'))), /"env\.fork"/],
    [module(listOf(5, limits(WASM_LIMITS.max_memory_pages + 1))), /max_memory_pages limit of 4096/],
    [Buffer.from('\0asm\x02\0\0\0', 'latin1'), /version 1/],
    [Buffer.from('FWS\x06\x09\0\0\0\xff', 'latin1'), /Flash/],
  ]
  const english = { 'accept-language': 'en' }
  for (const [bytes, text] of bad) {
    assertRefused(await sendForm(ana, formWith(bytes), english), text)
  }
  const [[bytes]] = bad as [[Buffer, RegExp]]
  const { error } = await sendForm(ana, formWith(bytes), { 'accept-language': 'ko' })
  assert.equal(error?.details?.[0]?.message, '압축 파일에 HTML 페이지가 없어요.')
  assert.deepEqual(await namesBelow(''), before)
  assert.deepEqual(await app.sql(rows), counted)
  await assertNothingLeft(app)
})

test('simultaneous uploads of one game create one bundle', async () => {
  const bytes = await zipOf({ 'index.html': '<!doctype html>once', 'a.txt': 'x' })
  const sibling = await app.sibling()
  const records = await times(12, (i) => makeUpload(i % 2 ? ana : ana.at(sibling.url), bytes))
  const { sha256 } = records[0] as { sha256: string }
  assert.ok(records.every((record) => record.sha256 === sha256))
  const known = await findBundle(db, sha256)
  assert.equal((await namesBelow(`bundles/${sha256}/`)).length, 2)
  await db.transaction((tx) =>
    insertBundle(tx, sha256, { runtime: 'swf', entry: null, facts: {}, warnings: [], files: [] }),
  )
  assert.deepEqual(await findBundle(db, sha256), known)
  assert.ok(await findBundleFile(db, sha256, 'a.txt'))
})

test('a hundred simultaneous games use little memory', async () => {
  const large = Buffer.concat([
    // Random bytes do not compress, so the archive stays below the maximum compression ratio.
    randomBytes(40_000),
    Buffer.alloc(2 * 1024 * 1024, 'a game of many bytes '),
  ])
  const game = (i: number) =>
    archive([
      { name: 'index.html', content: `<!doctype html>${i}` },
      { name: 'a.bin', content: large },
    ])
  const games = Array.from({ length: 100 }, (_, i) => game(i))
  let most = 0
  const before = process.memoryUsage().rss
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
  await Promise.all(games.map((bytes) => makeUpload(ana, bytes)))
  clearInterval(watch)
  assert.ok(most - before < 100 * 1024 * 1024, `${(most - before) / 1024 / 1024} MiB`)
})

test('lists the pages of a game in its upload, and warns of absolute paths', async () => {
  const built = await zipOf({
    'dist/index.html': `<!doctype html><link href="/style.css" rel=stylesheet><script type=module src=/assets/main.js></script><a href="/">Home</a><img src="//cdn.example/x.png"><img src="near.png">`,
    'dist/help/index.html': '<!doctype html><p>Help',
    'dist/style.css': `body { background: url("/sky.png") } p { background: url(near.png) }`,
    'dist/assets/main.js': `fetch('/assets/level.json'); say('/no/file'); const half = a / b / c`,
    'dist/assets/level.json': '{}',
    'dist/near.png': 'x',
  })
  const expected = {
    runtime: 'html5',
    entry: 'dist/index.html',
    pages: ['dist/index.html', 'dist/help/index.html'],
    warnings: [
      { code: 'absolute_path', path: '/style.css', file: 'dist/index.html' },
      { code: 'absolute_path', path: '/assets/main.js', file: 'dist/index.html' },
      { code: 'absolute_path', path: '/sky.png', file: 'dist/style.css' },
      { code: 'absolute_path', path: '/assets/level.json', file: 'dist/assets/main.js' },
    ],
  }
  assert.deepEqual((await makeUpload(ana, built)).bundle, expected)
  // The bundle of a repeated upload is stored once, and both uploads return it.
  assert.deepEqual((await makeUpload(await app.user(), built)).bundle, expected)
  const sound = await makeUpload(ana, await zipOf({ 'a.html': '<!doctype html><img src=b.png>' }))
  assert.deepEqual(sound.bundle.warnings, [])
  assert.deepEqual((await makeUpload(ana, startable(custom('x')))).bundle, {
    runtime: 'wasm',
    entry: null,
    pages: [],
    warnings: [],
  })
  assert.equal((await makeUpload(ana, await makePng())).bundle, null)
})

test('lists at most 100 pages and 20 short warnings of a game', async () => {
  const files: Record<string, string> = {}
  for (let i = 0; i < 120; i++) {
    files[`${i}.html`] = `<img src="/${i}-${'x'.repeat(5000)}.png">`
  }
  const { bundle } = await makeUpload(ana, await zipOf(files))
  assert.equal(bundle.pages.length, 100)
  assert.equal(bundle.warnings.length, 20)
  for (const { path } of bundle.warnings) assert.ok(path.length <= 80)
})
