/** Cuts the write-ahead log at a random byte after the synced part, as if the disk had not written the rest. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

export const tornLog: Fault = {
  name: 'torn-log',
  promise: 'opens a consistent database of an earlier commit when the log is cut anywhere',
  engines: ['sqlite'],
  rounds: { full: 300, short: 20 },
  async run(harness, rounds) {
    const { broken, notes } = harness.findings
    const load = await LoadGenerator.gather(harness, 16)
    const server = await harness.serve()
    await load.prepare(server.url)
    const writing = load.start(server.url, { isPersistent: false })
    await sleep(1500)
    await harness.kill(server)
    await writing.ended
    const savedFolder = join(harness.folder, 'kept')
    cpSync(harness.dataDir, savedFolder, { recursive: true })
    const size = statSync(join(savedFolder, 'plaza.db-wal')).size
    const synced = syncedBytes(readFileSync(join(savedFolder, 'plaza.db-shm')))
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < rounds; round++) {
      rmSync(harness.dataDir, { recursive: true })
      mkdirSync(harness.dataDir)
      cpSync(savedFolder, harness.dataDir, { recursive: true })
      rmSync(join(harness.dataDir, 'plaza.db-shm'), { force: true })
      truncateSync(join(harness.dataDir, 'plaza.db-wal'), randomInt(synced, size) + 1)
      const db = new DatabaseSync(join(harness.dataDir, 'plaza.db'))
      const rows = db.prepare('select count(*) as n from posts').get() as { n: number }
      least = Math.min(least, rows.n)
      db.close()
      // Every commit keeps the stored counts exact, so they must be exact wherever the log ends.
      await harness.recount()
      if (broken.length > 10) break
    }
    rmSync(harness.dataDir, { recursive: true })
    cpSync(savedFolder, harness.dataDir, { recursive: true })
    await harness.stop(await harness.serve())
    await load.journal.verify(harness)
    notes.push(`log of ${size} bytes cut anywhere; the earliest cut left ${least} posts`)
  },
}

/**
 * Returns the number of log bytes that are certainly on disk. SQLite syncs log frames before it copies them into the
 * database, and counts them in nBackfillAttempted (https://www.sqlite.org/walformat.html, section 2.1).
 */
function syncedBytes(index: Buffer): number {
  const frames = index.readUInt32LE(128)
  return frames === 0 ? 0 : 32 + frames * (4096 + 24)
}
