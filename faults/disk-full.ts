/** The disk that holds the data is full for a while, under writers and readers. */
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './ground/findings.ts'
import { needsRoot } from './ground/root.ts'
import { Crowd } from './ground/crowd.ts'
import { Ground, mountSmall } from './ground/ground.ts'

const MEGABYTES = 64
const WELL_AGAIN_MS = 5000

export const diskFull: Fault = {
  name: 'disk-full',
  promise:
    'on a full disk writes are refused with 507, reads go on, and all is well with space again',
  rounds: { full: 5, short: 1 },
  missing: needsRoot,
  async run(outer, rounds) {
    const findings = noFindings()
    const folder = join(outer.folder, 'small')
    mkdirSync(folder)
    mountSmall(outer, folder, MEGABYTES)
    // On PostgreSQL the tables are on the small disk; its log, without which it ends, is not.
    const ground = outer.postgres ? await onSmallTablespace(outer, folder) : outer
    if (!outer.postgres) ground.settings['DATA_DIR'] = ground.dataDir = join(folder, 'data')
    const crowd = await Crowd.gather(ground, 16)
    const server = await ground.serve()
    await crowd.settle(server.url)
    const refused = new Map<number, number>()
    let reads = 0
    let slowestAgain = 0
    let unwell = 0
    for (let round = 0; round < rounds; round++) {
      let isOver = false
      const writing = crowd.write({
        url: () => server.url,
        isOver: () => isOver,
        isPersistent: true,
      })
      await sleep(500)
      const fill = join(folder, 'fill')
      fillUp(fill)
      const until = Date.now() + 4000
      while (Date.now() < until) {
        const read = await fetch(`${server.url}/api/v1/feeds?limit=5`)
        await read.text()
        reads++
        if (read.status !== 200) findings.broken.push(`a read was answered ${read.status}`)
        if ((await storageOf(server.url)) === 'failed') unwell++
        // What the engine gives back while it is full is taken away again.
        fillUp(fill)
        await sleep(50)
      }
      rmSync(fill)
      const before = crowd.journal.acknowledged
      const freed = Date.now()
      while (crowd.journal.acknowledged < before + 50) {
        if (Date.now() - freed > 30_000) break
        await sleep(20)
      }
      const storage = await storageOf(server.url)
      if (storage !== 'ok') findings.broken.push(`with room again storage is called ${storage}`)
      slowestAgain = Math.max(slowestAgain, Date.now() - freed)
      isOver = true
      for (const [status, times] of (await writing).refused) {
        refused.set(status, (refused.get(status) ?? 0) + times)
        if (status !== 507) findings.broken.push(`${times} writes were answered ${status}`)
      }
      if (!refused.has(507)) findings.broken.push('no write was answered 507')
    }
    if (slowestAgain > WELL_AGAIN_MS) findings.broken.push(`well again after ${slowestAgain} ms`)
    // On PostgreSQL it is not the disk of the files that is full.
    if (unwell === 0 && !outer.postgres) findings.broken.push('health told of no full disk')
    if (server.child.exitCode !== null) findings.broken.push('the server ended')
    await crowd.journal.verify(ground, findings)
    await ground.recount(findings)
    findings.notes.push(
      `${refused.get(507) ?? 0} writes answered 507, ${reads} reads meanwhile; well again after ${slowestAgain} ms`,
    )
    return findings
  },
}

/** What the health check says of the storage. */
async function storageOf(url: string): Promise<string> {
  const health = await fetch(`${url}/api/health`)
  const { data } = (await health.json()) as { data: { checks: { storage: string } } }
  return data.checks.storage
}

async function onSmallTablespace(outer: Ground, folder: string): Promise<Ground> {
  const { postgres } = outer
  if (!postgres) throw new Error('only PostgreSQL has tablespaces')
  // Whose folders are closed to others.
  chmodSync(outer.folder, 0o755)
  const space = join(folder, 'space')
  mkdirSync(space)
  if (postgres.owner) chownSync(space, postgres.owner.uid, postgres.owner.gid)
  await postgres.sql(`create tablespace small location '${space}'`)
  const ground = await Ground.make(postgres, 'tablespace small')
  outer.atEnd(async () => {
    await ground.close()
    await postgres.sql('drop tablespace small')
  })
  return ground
}

/** Until nothing more goes in. */
function fillUp(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (const size of [1 << 20, 1 << 12]) {
      const bytes = Buffer.alloc(size, 1)
      while (statfsSync(path).bavail > 0 && tryWrite(file, bytes));
    }
  } finally {
    closeSync(file)
  }
}

function tryWrite(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
