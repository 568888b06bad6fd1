/** The model of a sharded community is whole, and docs/scaling.md says what it says. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeConfiguration } from '../scripts/failover/configure.ts'
import { type TableName, TABLES } from '../scripts/shards/model.ts'
import { SPREADS } from '../scripts/shards/spreads.ts'
import { simulate } from '../scripts/shards/simulate.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'

const ROOT = join(import.meta.dirname, '..')
const COMMUNITY = { members: 20_000, shards: 8, buckets: 256, seed: 7 }

const folder = mkdtempSync(join(tmpdir(), 'plaza-shards-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The columns of every table of an up-to-date database. */
async function columnsByTable(): Promise<Map<string, string[]>> {
  const db = openDatabase({ databaseUrl: undefined, dataDir: folder })
  const tables = new Map<string, string[]>()
  try {
    await migrate(db, Date.now)
    await db.script(async (run) => {
      for (const row of await run(
        `select m.name as name, c.name as column_name from sqlite_master m, pragma_table_info(m.name) c
          where m.type = 'table' and m.name not like 'sqlite_%'`,
      )) {
        const name = String(row['name'])
        tables.set(name, [...(tables.get(name) ?? []), String(row['column_name'])])
      }
    })
  } finally {
    await db.close()
  }
  return tables
}

test('every table of the database has a partition key, which it has or is said to lack', async () => {
  const tables = await columnsByTable()
  assert.deepEqual(Object.keys(TABLES).sort(), [...tables.keys()].sort())
  for (const [name, { key, needs }] of Object.entries(TABLES)) {
    if (key === null || tables.get(name)?.includes(key)) continue
    assert.match(needs, /column/, `${name} has no ${key}`)
  }
  for (const { table, column } of SPREADS) {
    const isColumn = tables.get(table)?.includes(column)
    assert.ok(isColumn || TABLES[table].key === column, `${table}.${column}`)
  }
})

test('a simulated community is the same for the same seed, and another for another', () => {
  assert.deepEqual(simulate(COMMUNITY), simulate(COMMUNITY))
  assert.notDeepEqual(simulate(COMMUNITY), simulate({ ...COMMUNITY, seed: 8 }))
})

test('no shard has less than its hottest key, and the key taken is the one of the model', () => {
  const { shards } = COMMUNITY
  for (const one of simulate(COMMUNITY)) {
    assert.ok(one.rowSkew >= 1 && one.rowSkew <= shards, JSON.stringify(one))
    assert.ok(one.writeSkew / shards >= one.hottestWrites, JSON.stringify(one))
    assert.equal(one.isTaken, TABLES[one.table as TableName].key === one.column)
  }
})

test('the figures of docs/scaling.md are those that the script prints', () => {
  const doc = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')
  for (const args of [[], ['--estimates']]) {
    const out = execFileSync(process.execPath, [join(ROOT, 'scripts/shards.ts'), ...args])
    for (const line of out.toString().split('\n')) {
      assert.ok(doc.includes(line), `npm run shards -- ${args.join(' ')}: ${line}`)
    }
  }
})

test('docs/scaling.md tells of every table by what it would be partitioned', () => {
  const doc = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')
  for (const [name, { key }] of Object.entries(TABLES)) {
    const row = key === null ? `\`${name}\`` : `| \`${name}\` | \`${key}\``
    assert.ok(doc.includes(row), name)
  }
})

test('the configuration of a cluster has one set of passwords, and is never overwritten', () => {
  const target = join(folder, 'cluster')
  const hosts = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
  const paths = writeConfiguration(target, hosts)
  const texts = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  const secrets = new Set(
    [...texts.values()].flatMap((text) => text.match(/\b[0-9a-f]{48}\b/g) ?? []),
  )
  assert.equal(secrets.size, 3)
  for (const host of hosts) assert.ok(existsSync(join(target, host, 'etc/patroni/config.yml')))
  assert.throws(() => writeConfiguration(target, hosts), /EEXIST/)
  for (const [path, text] of texts) assert.equal(readFileSync(path, 'utf8'), text)
})
