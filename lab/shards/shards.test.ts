import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeConfiguration } from '../failover/configure.ts'
import { type TableName, TABLES } from './model.ts'
import { SPREADS } from './spreads.ts'
import { simulate } from './simulate.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from '../../test/files.ts'

const ROOT = join(import.meta.dirname, '../..')
const COMMUNITY = { members: 20_000, shards: 8, buckets: 256, seed: 7 }

const folder = temporaryFolder('plaza-shards-')

async function columnsByTable(): Promise<Map<string, string[]>> {
  const db = openDatabase({ databaseUrl: undefined, dataDir: folder })
  const tables = new Map<string, string[]>()
  try {
    await migrate(db, Date.now)
    await db.script(async (run) => {
      for (const row of await run(
        `select m.name as name, c.name as column_name from sqlite_master m, pragma_table_info(m.name) c
          where m.type = 'table' and m.name not like 'sqlite_%' and m.name not like 'search_index%'`,
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

test('has a partition key for every table: an existing column or one listed as missing', async () => {
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

test('returns the same result for the same seed and another result for another seed', () => {
  assert.deepEqual(simulate(COMMUNITY), simulate(COMMUNITY))
  assert.notDeepEqual(simulate(COMMUNITY), simulate({ ...COMMUNITY, seed: 8 }))
})

test('reports no busiest shard below the share of its hottest key, and marks the model’s key', () => {
  const { shards } = COMMUNITY
  for (const balance of simulate(COMMUNITY)) {
    assert.ok(balance.rowSkew >= 1 && balance.rowSkew <= shards, JSON.stringify(balance))
    assert.ok(balance.writeSkew / shards >= balance.hottestWrites, JSON.stringify(balance))
    assert.equal(balance.isTaken, TABLES[balance.table as TableName].key === balance.column)
  }
})

test('prints the figures shown in docs/scaling.md', () => {
  const doc = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')
  for (const args of [[], ['--estimates']]) {
    const out = execFileSync(process.execPath, [join(ROOT, 'lab/shards/run.ts'), ...args])
    for (const line of out.toString().split('\n')) {
      assert.ok(doc.includes(line), `npm run shards -- ${args.join(' ')}: ${line}`)
    }
  }
})

test('lists the partition key of every table in docs/scaling.md', () => {
  const doc = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')
  for (const [name, { key }] of Object.entries(TABLES)) {
    const row = key === null ? `\`${name}\`` : `| \`${name}\` | \`${key}\``
    assert.ok(doc.includes(row), name)
  }
})

test('writes a cluster configuration with one set of passwords and never overwrites it', () => {
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
