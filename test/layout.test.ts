import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const files = globSync('src/**/*.ts', { cwd: root() }).filter((file) => !file.endsWith('.test.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(join(root(), file), 'utf8')]))

function root(): string {
  return join(import.meta.dirname, '..')
}

function importsOf(file: string): string[] {
  const text = texts.get(file) ?? ''
  return [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] as string)),
  )
}

const PLUMBING = ['src/http/', 'src/db/', 'src/messages/', 'src/outbound/', 'src/storage/']
const isFeature = (file: string) =>
  file.split('/').length > 2 && !PLUMBING.some((folder) => file.startsWith(folder))

test('keeps features out of the infrastructure folders', () => {
  for (const file of files.filter((name) => PLUMBING.some((folder) => name.startsWith(folder)))) {
    for (const target of importsOf(file)) {
      assert.ok(!isFeature(target), `${file} imports ${target}`)
    }
  }
})

test('keeps HTTP out of the database layer and rules out of queries', () => {
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

test('imports routes only from route files and the app', () => {
  for (const file of files.filter(
    (name) => !/\/(routes|app)\.ts$/.test(name) && name !== 'src/app.ts',
  )) {
    for (const target of importsOf(file)) {
      assert.doesNotMatch(target, /\/routes\.ts$/, `${file} imports ${target}`)
    }
  }
})

test('reads the environment only in the configuration', () => {
  const allowed = new Set(['src/config.ts', 'src/cli/database.ts', 'src/cli/ending.ts'])
  for (const [file, text] of texts) {
    if (!allowed.has(file)) assert.ok(!text.includes('process.env'), file)
  }
})

const WRITES =
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'|sql`(?:insert into|delete from|update) (\w+)/g

test('writes each table from one folder only', () => {
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

test('lets the demo import only tools and types and write only through the SDK', () => {
  const tools =
    /^src\/(demo\/|conversion\/ffmpeg\.ts|pictures\/libvips\.ts|storage\/staging\.ts|clock\.ts|config\.ts)/
  for (const [file, text] of texts) {
    const isDemo = file.startsWith('src/demo/')
    assert.ok(isDemo || !text.includes("from '#sdk'"), `${file} imports the SDK`)
    if (!isDemo) continue
    for (const target of importsOf(file)) assert.match(target, tools, `${file} imports ${target}`)
  }
})

test('imports nothing from the lab', () => {
  for (const file of globSync('{src,test,scripts,bench,sdk,web}/**/*.{ts,tsx}', {
    cwd: root(),
    exclude: (path) => path.includes('node_modules'),
  })) {
    const text = readFileSync(join(root(), file), 'utf8')
    assert.doesNotMatch(text, /from '[./]+\/lab\//, file)
  }
})

test('keeps files at 350 lines or fewer', () => {
  for (const [file, text] of texts) {
    assert.ok(text.split('\n').length <= 350, `${file} has ${text.split('\n').length} lines`)
  }
})
