/** Compares the rates at which Plaza and a bare server serve local files. TARGET is the minimum of the median ratio. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openStore } from '../../src/storage/open.ts'
import { compare } from './compare.ts'
import { type Server, startPlaza, startProgram } from '../../bench/servers.ts'

const FILES = [
  { name: '20 KB', size: 20_480, path: `${'a'.repeat(64)}.webp` },
  { name: '1 MB', size: 1_048_576, path: `${'b'.repeat(64)}.mp4` },
]
const TARGET = 0.8

interface Options {
  seconds: number
  rounds: number
  connections: number
}

export async function measureFiles({ seconds, rounds, connections }: Options, json: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
  const dataDir = join(folder, 'data')
  // Creates the database, because the server refuses to start when stored files exist and the database is missing.
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  await migrate(db, Date.now)
  await db.close()
  const { store, staging } = await openStore({ storageUrl: undefined, dataDir })
  for (const { size, path } of FILES) {
    const bytes = randomBytes(size)
    writeFileSync(join(folder, path), bytes)
    const staged = staging.newFile()
    writeFileSync(staged, bytes)
    await store.put(path, staged, '')
  }
  const servers = [
    await startProgram('lab/bench/plain.ts', folder),
    await startPlaza({ DATA_DIR: dataDir }, undefined),
  ] as const
  try {
    const rows = []
    for (const { name, path } of FILES) {
      for (const server of servers) await load(server, path, { seconds: 1, connections })
      const found = await compare(servers, rounds, (server) =>
        load(server, path, { seconds, connections }),
      )
      rows.push({ name, ...found, target: TARGET })
    }
    if (json) console.log(JSON.stringify({ seconds, rounds, connections, rows }, null, 2))
    else console.table(rows)
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(
  { url }: Server,
  path: string,
  { seconds, connections }: Pick<Options, 'seconds' | 'connections'>,
): Promise<number> {
  const result = await autocannon({ url: `${url}/uploads/${path}`, connections, duration: seconds })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${path} at ${url}: ${failed} requests failed`)
  return result['2xx'] / result.duration
}
