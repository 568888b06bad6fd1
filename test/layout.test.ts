import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const files = globSync('src/**/*.ts', { cwd: root() }).filter((file) => !file.endsWith('.test.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(join(root(), file), 'utf8')]))

function root(): string {
  return join(import.meta.dirname, '..')
}

test('reads the environment only in the configuration', () => {
  const allowed = new Set(['src/config.ts', 'src/cli/database.ts', 'src/cli/ending.ts'])
  for (const [file, text] of texts) {
    if (!allowed.has(file)) assert.ok(!text.includes('process.env'), file)
  }
})

const WRITES =
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'|sql`(?:insert into|delete from|update) (\w+)|(?:insert|put|update|delete|change|take|toggle|addTo)(?:Row|Rows|New|All|Some|InBatches)\(\s*\w+,\s*'(\w+)'/g

test('writes each table from one folder only', () => {
  const writers = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    for (const match of text.matchAll(WRITES)) {
      const table = (match[1] ?? match[2] ?? match[3]) as string
      const folders = writers.get(table) ?? new Set()
      writers.set(table, folders.add(dirname(file)))
    }
  }
  assert.ok(writers.size > 10)
  // Exception: `users/suspended-follows.ts` also writes follows. In `follows` this module would cause an import cycle,
  // because `contents` calls it and `follows` imports `contents` through `creators`.
  writers.get('follows')?.delete('src/users')
  for (const [table, folders] of writers) {
    assert.equal(folders.size, 1, `${table} is written by ${[...folders].join(' and ')}`)
  }
})

test('keeps files at 350 lines or fewer', () => {
  for (const [file, text] of texts) {
    assert.ok(text.split('\n').length <= 350, `${file} has ${text.split('\n').length} lines`)
  }
})
