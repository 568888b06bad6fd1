import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { getPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { times } from '../../test/make.ts'
import { buildClient } from './build.ts'
import { openSite } from './site.ts'
import { temporaryFolder } from '../../test/files.ts'
import { until } from '../../test/receiver.ts'

const WORDS = JSON.stringify('words that repeat themselves '.repeat(40))
const PROJECT: Record<string, string> = {
  'package-lock.json': '{}',
  'sdk/src/index.ts': `export const words: string = ${WORDS}`,
  'web/index.html':
    '<!doctype html><title>Small</title><script type="module" src="/src/main.ts"></script>',
  'web/vite.config.ts': `export default {
    define: { SEEN: JSON.stringify(Object.keys(process.env).join()) },
  }`,
  'web/src/main.ts':
    'import { words } from "../../sdk/src/index.ts"\ndocument.title = words + SEEN + process.env.NODE_ENV',
  'web/src/paths.json': '["/"]',
  'web/public/icon.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<g></g>'.repeat(50)}</svg>`,
  'web/public/font.woff2': 'no text '.repeat(100),
}

function makeProject(over: Record<string, string> = {}): string {
  const root = temporaryFolder('plaza-client-')
  for (const [path, text] of Object.entries({ ...PROJECT, ...over })) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const buildsOf = (root: string) => readdirSync(join(root, 'web/dist'))

function scriptOf(folder: string): string {
  const [name = ''] = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.js'))
  return readFileSync(join(folder, 'assets', name), 'utf8')
}

test('builds a client once, and again when a source changes', async () => {
  const root = makeProject()
  const first = await buildClient({ root })
  assert.equal(first.isNew, true)
  assert.deepEqual(await buildClient({ root }), { folder: first.folder, isNew: false })
  for (const change of [
    () => writeFileSync(join(root, 'sdk/src/index.ts'), 'export const words = "other"'),
    () => writeFileSync(join(root, 'package-lock.json'), '{"other": true}'),
    () => renameSync(join(root, 'web/public/icon.svg'), join(root, 'web/public/other.svg')),
  ]) {
    const before = await buildClient({ root })
    change()
    const { folder, isNew } = await buildClient({ root })
    assert.equal(isNew, true)
    assert.notEqual(folder, before.folder)
    assert.deepEqual([existsSync(folder), existsSync(before.folder)], [true, false])
  }
  assert.equal(buildsOf(root).length, 1)
})

test('compresses text files and no others', async () => {
  const { folder } = await buildClient({ root: makeProject() })
  const names = readdirSync(folder, { recursive: true }).map(String)
  const script = names.find((name) => /^assets\/.*\.js$/.test(name)) ?? ''
  for (const name of [script, 'icon.svg']) {
    const bytes = readFileSync(join(folder, name))
    const br = readFileSync(join(folder, `${name}.br`))
    assert.ok(br.length < bytes.length / 4)
    assert.deepEqual(brotliDecompressSync(br), bytes)
    assert.deepEqual(gunzipSync(readFileSync(join(folder, `${name}.gz`))), bytes)
  }
  assert.ok(names.includes('font.woff2'))
  assert.deepEqual(
    names.filter((name) => name.startsWith('font.woff2.')),
    [],
  )
})

test("builds for production without access to the server's environment", async () => {
  process.env['TOKEN_SECRET'] = 'not for the build'
  const { folder } = await buildClient({ root: makeProject() })
  const text = scriptOf(folder)
  assert.match(text, /production/)
  assert.match(text, /NODE_ENV/)
  assert.doesNotMatch(text, /TOKEN_SECRET|PATH|HOME/)
})

test('builds with a low priority', async () => {
  const config = `import { getPriority } from 'node:os'
  export default { define: { SEEN: JSON.stringify('priority ' + getPriority()) } }`
  const { folder } = await buildClient({ root: makeProject({ 'web/vite.config.ts': config }) })
  const priority = Number(/priority (-?\d+)/.exec(scriptOf(folder))?.[1])
  assert.ok(priority > getPriority(), `${priority}`)
})

test('builds again when the sources change during a build', async () => {
  const index = 'export const words: string = '
  const root = makeProject({ 'sdk/src/index.ts': `${index}"former"` })
  const building = buildClient({ root })
  while (!existsSync(join(root, 'web/dist')) || buildsOf(root).length === 0) await sleep(5)
  writeFileSync(join(root, 'sdk/src/index.ts'), `${index}"latter"`)
  const { folder } = await building
  assert.deepEqual(await buildClient({ root }), { folder, isNew: false })
  assert.match(scriptOf(folder), /latter/)
  assert.equal(buildsOf(root).length, 1)
  // Restoring the former sources requires a new build.
  writeFileSync(join(root, 'sdk/src/index.ts'), `${index}"former"`)
  const back = await buildClient({ root })
  assert.equal(back.isNew, true)
  assert.match(scriptOf(back.folder), /former/)
})

test('throws when the sources keep changing', async () => {
  const change = `import { appendFileSync } from 'node:fs'
  appendFileSync(import.meta.dirname + '/src/main.ts', '\\n')
  export default { define: { SEEN: '""' } }`
  const root = makeProject({ 'web/vite.config.ts': change })
  await assert.rejects(buildClient({ root }), /sources changed during every build/)
  assert.deepEqual(buildsOf(root), [])
})

test('returns one complete client when several builds run at once', async () => {
  const root = makeProject()
  const built = await times(3, () => buildClient({ root }))
  assert.equal(new Set(built.map(({ folder }) => folder)).size, 1)
  assert.equal(buildsOf(root).length, 1)
  const { folder } = built[0] as { folder: string }
  for (const name of ['index.html', 'icon.svg', 'icon.svg.br', 'icon.svg.gz']) {
    assert.ok(existsSync(join(folder, name)), name)
  }
})

test('leaves nothing when a build is aborted, and the next build succeeds', async () => {
  const root = makeProject()
  const ending = new AbortController()
  const building = buildClient({ root, signal: ending.signal })
  while (!existsSync(join(root, 'web/dist')) || buildsOf(root).length === 0) await sleep(5)
  ending.abort()
  await assert.rejects(building, { name: 'AbortError' })
  assert.deepEqual(buildsOf(root), [])
  assert.equal((await buildClient({ root })).isNew, true)
})

test('reports the reason and leaves nothing when the sources have errors', async () => {
  const root = makeProject({ 'web/src/main.ts': 'import "./not-there.ts"' })
  await assert.rejects(buildClient({ root }), /the build exited with 1:[^]*not-there/)
  assert.deepEqual(buildsOf(root), [])
})

test('logs one line when the client cannot be built', async () => {
  const root = makeProject()
  // A file in place of the folder makes every write fail, even for root.
  writeFileSync(join(root, 'web/dist'), '')
  const lines: string[] = []
  const { close } = openSite(
    pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    root,
  )
  await until(() => lines.length > 0, 'a line')
  await close()
  assert.equal(lines.length, 1)
  const { level, msg, reason } = JSON.parse(lines[0] as string)
  assert.equal(level, 50)
  assert.equal(msg, 'web client build failed: serving the API without it')
  assert.match(reason, /ENOTDIR|EEXIST/)
})
