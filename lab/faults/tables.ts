import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, onServer } from '../../scripts/postgres.ts'
import { listTables } from '../../src/backup/catalog.ts'
import { digestTable } from '../../src/backup/rows.ts'
import { withSnapshot } from '../../src/db/snapshot.ts'
import { childEnv } from '../../test/process.ts'
import type { Harness } from '../harness/harness.ts'

const ENTRY = resolve(import.meta.dirname, '../../bin/plaza.mjs')

/** Starts a command and sends `signal` after `ms`. Returns true when the command had not ended before. */
export async function interrupt(
  { settings }: Harness,
  args: string[],
  ms: number,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: childEnv(settings),
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await Promise.race([ended, sleep(ms)])
  const isCut = child.exitCode === null
  child.kill(signal)
  await ended
  return isCut
}

export async function fillDemo(harness: Harness, users: number): Promise<void> {
  const sizes = ['--people', String(users), '--works', String(users * 2)]
  const { code, out } = await harness.plaza(['demo', ...sizes])
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

/** Saves the database and returns a function that restores it. Call both only while no connection is open. */
export async function keep(harness: Harness): Promise<() => Promise<void>> {
  const { postgres, databaseUrl } = harness
  if (postgres && databaseUrl) {
    const name = new URL(databaseUrl).pathname.slice(1)
    const copy = async (from: string, to: string) => {
      await onServer(postgres.url, `drop database if exists ${to} with (force)`)
      await createDatabase(postgres.url, to, `template ${from}`)
    }
    await copy(name, `${name}_kept`)
    harness.atEnd(() => onServer(postgres.url, `drop database if exists ${name}_kept with (force)`))
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
  await onServer(postgres.url, `drop database if exists ${name} with (force)`)
  await createDatabase(postgres.url, name)
}

function clear({ dataDir }: Harness): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `plaza.db${end}`), { force: true })
}
