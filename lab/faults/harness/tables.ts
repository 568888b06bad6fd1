import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listTables } from '../../../src/backup/catalog.ts'
import { digestTable } from '../../../src/backup/rows.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { copyAtSchema } from '../../../test/earlier.ts'
import { Harness } from './harness.ts'

export async function fillDemo(harness: Harness, users: number): Promise<void> {
  const { code, out } = await harness.plaza([
    'demo',
    '--people',
    String(users),
    '--works',
    String(users * 2),
  ])
  if (code !== 0) throw new Error(`plaza demo: ${out}`)
}

/**
 * Returns one line per table with its name, row count and hash. Skips `schema_migrations`, because the times of
 * migrations differ between runs.
 */
export async function digestTables(harness: Harness): Promise<string> {
  return harness.withDatabase((db) =>
    withSnapshot(db, async (run) => {
      const lines: string[] = []
      for (const table of await listTables(db.engine, run)) {
        if (table.name === 'schema_migrations') continue
        const { rows, sha256 } = await digestTable(run, table)
        lines.push(`${table.name} ${rows} ${sha256}`)
      }
      return lines.join('\n')
    }),
  )
}

export async function fillEarlier(full: Harness, harness: Harness, schema: number): Promise<void> {
  await full.withDatabase((from) => harness.withDatabase((to) => copyAtSchema(from, to, schema)))
}

/** Saves the database and returns a function that restores it. Call both only while no connection is open. */
export async function keep(harness: Harness): Promise<() => Promise<void>> {
  const { postgres, databaseUrl } = harness
  if (postgres && databaseUrl) {
    const name = new URL(databaseUrl).pathname.slice(1)
    const copy = async (from: string, to: string) => {
      await postgres.sql(`drop database if exists ${to} with (force)`)
      await postgres.sql(`create database ${to} template ${from}`)
    }
    await copy(name, `${name}_kept`)
    harness.atEnd(() => postgres.sql(`drop database if exists ${name}_kept with (force)`))
    return () => copy(`${name}_kept`, name)
  }
  const file = join(harness.dataDir, 'plaza.db')
  const savedDb = join(harness.folder, 'kept.db')
  copyFileSync(file, savedDb)
  return async () => {
    clear(harness)
    mkdirSync(harness.dataDir, { recursive: true })
    copyFileSync(savedDb, file)
  }
}

export async function empty(harness: Harness): Promise<void> {
  const { postgres, databaseUrl } = harness
  if (!postgres || !databaseUrl) return clear(harness)
  const name = new URL(databaseUrl).pathname.slice(1)
  await postgres.sql(`drop database if exists ${name} with (force)`)
  await postgres.sql(`create database ${name}`)
}

function clear({ dataDir }: Harness): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `plaza.db${end}`), { force: true })
}
