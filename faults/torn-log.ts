/** Fault: the end of the write-ahead log is cut off at any byte, as if the disk had not written it. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './ground/findings.ts'
import { Crowd } from './ground/crowd.ts'

export const tornLog: Fault = {
  name: 'torn-log',
  promise: 'opens a consistent database of an earlier commit when the log is cut anywhere',
  engines: ['sqlite'],
  rounds: { full: 300, short: 20 },
  async run(ground, rounds) {
    const findings = noFindings()
    const crowd = await Crowd.gather(ground, 16)
    const server = await ground.serve()
    await crowd.settle(server.url)
    const writing = crowd.write({
      url: () => server.url,
      isOver: () => false,
      isPersistent: false,
    })
    await sleep(1500)
    server.child.kill('SIGKILL')
    await Promise.all([server.ended, writing])
    const kept = join(ground.folder, 'kept')
    cpSync(ground.dataDir, kept, { recursive: true })
    const size = statSync(join(kept, 'plaza.db-wal')).size
    const synced = syncedBytes(readFileSync(join(kept, 'plaza.db-shm')))
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < rounds; round++) {
      rmSync(ground.dataDir, { recursive: true })
      mkdirSync(ground.dataDir)
      cpSync(kept, ground.dataDir, { recursive: true })
      rmSync(join(ground.dataDir, 'plaza.db-shm'), { force: true })
      truncateSync(join(ground.dataDir, 'plaza.db-wal'), randomInt(synced, size) + 1)
      const db = new DatabaseSync(join(ground.dataDir, 'plaza.db'))
      const rows = db.prepare('select count(*) as n from posts').get() as { n: number }
      least = Math.min(least, rows.n)
      db.close()
      // Counts equal their rows at every commit.
      await ground.recount(findings)
      if (findings.broken.length > 10) break
    }
    rmSync(ground.dataDir, { recursive: true })
    cpSync(kept, ground.dataDir, { recursive: true })
    const again = await ground.serve()
    again.child.kill('SIGTERM')
    await again.ended
    await crowd.journal.verify(ground, findings)
    findings.notes.push(`log of ${size} bytes cut anywhere; the earliest cut left ${least} posts`)
    return findings
  },
}

/**
 * Number of bytes of the log that were certainly on disk. SQLite syncs a part of the log before it copies
 * that part into the database (WAL-index, nBackfillAttempted; https://www.sqlite.org/walformat.html, section
 * 2.1).
 */
function syncedBytes(index: Buffer): number {
  const frames = index.readUInt32LE(128)
  return frames === 0 ? 0 : 32 + frames * (4096 + 24)
}
