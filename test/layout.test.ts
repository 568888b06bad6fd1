/** The rules of the house (ARCHITECTURE.md), kept by the code itself. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const files = globSync('src/**/*.ts', { cwd: root() }).filter((file) => !file.endsWith('.test.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(join(root(), file), 'utf8')]))

function root(): string {
  return join(import.meta.dirname, '..')
}

/** Files a file imports, as paths from the root; types too. */
function importsOf(file: string): string[] {
  const text = texts.get(file) ?? ''
  return [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] as string)),
  )
}

const PLUMBING = ['src/http/', 'src/db/', 'src/messages/', 'src/storage/']
const isFeature = (file: string) =>
  file.split('/').length > 2 && !PLUMBING.some((folder) => file.startsWith(folder))

test('the plumbing knows no feature', () => {
  for (const file of files.filter((name) => PLUMBING.some((folder) => name.startsWith(folder)))) {
    for (const target of importsOf(file)) {
      assert.ok(!isFeature(target), `${file} imports ${target}`)
    }
  }
})

test('the database knows no HTTP, and queries know nothing but the database', () => {
  for (const file of files.filter((name) => name.startsWith('src/db/'))) {
    for (const target of importsOf(file)) assert.match(target, /^src\/db\//, `${file}: ${target}`)
  }
  for (const file of files.filter((name) => /(^|[/-])queries\.ts$/.test(name))) {
    for (const target of importsOf(file)) {
      assert.doesNotMatch(
        target,
        /\/(routes|rules)\.ts$|^src\/(http|errors|config)/,
        `${file}: ${target}`,
      )
    }
  }
})

test('rules and queries never import routes', () => {
  for (const file of files.filter(
    (name) => !/\/(routes|app)\.ts$/.test(name) && name !== 'src/app.ts',
  )) {
    for (const target of importsOf(file)) {
      assert.doesNotMatch(target, /\/routes\.ts$/, `${file} imports ${target}`)
    }
  }
})

test('only the settings read the environment', () => {
  const allowed = new Set(['src/config.ts', 'src/cli/database.ts', 'src/cli/ending.ts'])
  for (const [file, text] of texts) {
    if (!allowed.has(file)) assert.ok(!text.includes('process.env'), file)
  }
})

/** In the builder's words, and in bare SQL. */
const WRITES =
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'|sql`(?:insert into|delete from|update) (\w+)/g

test('a table is written by one folder', () => {
  const writers = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    for (const match of text.matchAll(WRITES)) {
      const table = (match[1] ?? match[2]) as string
      const folders = writers.get(table) ?? new Set()
      writers.set(table, folders.add(dirname(file)))
    }
  }
  assert.ok(writers.size > 10)
  for (const [table, folders] of writers) {
    assert.equal(folders.size, 1, `${table} is written by ${[...folders].join(' and ')}`)
  }
})

test('the demo acts through the SDK: of the server it has tools and types, and nothing that writes', () => {
  const tools =
    /^src\/(demo\/|conversion\/ffmpeg\.ts|bundles\/wasm-contract\.ts|pictures\/libvips\.ts|storage\/staging\.ts|clock\.ts|config\.ts)/
  for (const [file, text] of texts) {
    const isDemo = file.startsWith('src/demo/')
    assert.ok(isDemo || !text.includes("from '#sdk'"), `${file} imports the SDK`)
    if (!isDemo) continue
    for (const target of importsOf(file)) assert.match(target, tools, `${file} imports ${target}`)
  }
})

test('files stay below 350 lines', () => {
  for (const [file, text] of texts) {
    assert.ok(text.split('\n').length <= 350, `${file} has ${text.split('\n').length} lines`)
  }
})
