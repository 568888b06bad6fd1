/** Compares the rates at which Plaza and a bare server serve local files. TARGET is the minimum of the median ratio. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Setup } from '../../bench/report.ts'
import { type Server, startProgram } from '../../bench/servers.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openStore } from '../../src/storage/open.ts'
import type { Harness } from '../harness/harness.ts'
import { alternate, mediansOf, startOn } from './compare.ts'

const FILES = [
  { name: '20 KB', size: 20_480, path: `${'a'.repeat(64)}.webp` },
  { name: '1 MB', size: 1_048_576, path: `${'b'.repeat(64)}.mp4` },
]
const TARGET = 0.8

export async function measureFiles(harness: Harness, { seconds, rounds, connections }: Setup) {
  const { folder, dataDir } = harness
  // Creates the database, because the server refuses to start when stored files exist and the database is missing.
  await harness.withDatabase((db) => migrate(db, Date.now))
  const { store, staging } = await openStore({ storageUrl: undefined, dataDir })
  for (const { size, path } of FILES) {
    const bytes = randomBytes(size)
    writeFileSync(join(folder, path), bytes)
    const staged = staging.newFile()
    writeFileSync(staged, bytes)
    await store.put(path, staged, '')
  }
  const bare = await startProgram('lab/bench/plain.ts', folder)
  harness.atEnd(() => bare.stop())
  const servers = [bare, await startOn(harness)] as const
  const rows = []
  for (const { name, path } of FILES) {
    for (const server of servers) await load(server, path, { seconds: 1, connections })
    const pairs = await alternate(rounds, (index) =>
      load(servers[index], path, { seconds, connections }),
    )
    const { first, second, ratio } = mediansOf(pairs)
    rows.push({
      name,
      bare: Math.round(first),
      plaza: Math.round(second),
      ratio: Number(ratio.toFixed(2)),
      target: TARGET,
    })
  }
  console.table(rows)
}

async function load(
  { url }: Server,
  path: string,
  { seconds, connections }: Pick<Setup, 'seconds' | 'connections'>,
): Promise<number> {
  const result = await autocannon({ url: `${url}/uploads/${path}`, connections, duration: seconds })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${path} at ${url}: ${failed} requests failed`)
  return result['2xx'] / result.duration
}
