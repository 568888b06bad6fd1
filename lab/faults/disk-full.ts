import {
  chmodSync,
  chownSync,
  closeSync,
  globSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyone } from '../../test/actors.ts'
import { makeBrokenMp4, upload } from '../../test/uploads.ts'
import type { Fault } from './fault.ts'
import { type Findings, noFindings } from './harness/findings.ts'
import { needsRoot } from './harness/root.ts'
import { LoadGenerator } from './harness/load-generator.ts'
import { Harness, mountSmall } from './harness/harness.ts'

const MEGABYTES = 64
const RECOVERY_MS = 5000
const UPLOAD_BYTES = 300_000

export const diskFull: Fault = {
  name: 'disk-full',
  promise:
    'answers writes with 507 and leaves no file on a full disk, keeps reads working, and recovers when there is space',
  rounds: { full: 5, short: 1 },
  missing: needsRoot,
  async run(outer, rounds) {
    const findings = noFindings()
    const folder = join(outer.folder, 'small')
    mkdirSync(folder)
    mountSmall(outer, folder, MEGABYTES)
    // On PostgreSQL only the tables are on the small disk. The write-ahead log is on another disk, because PostgreSQL
    // stops when it cannot write the log.
    const harness = outer.postgres ? await onSmallTablespace(outer, folder) : outer
    if (!outer.postgres) harness.settings['DATA_DIR'] = harness.dataDir = join(folder, 'data')
    const load = await LoadGenerator.gather(harness, 16)
    const server = await harness.serve()
    await load.prepare(server.url)
    const refused = new Map<number, number>()
    const uploads = new Map<number, number>()
    const uploader = anyone(server.url, { authorization: `Bearer ${load.users[0]?.token}` })
    let reads = 0
    let slowestAgain = 0
    let unwell = 0
    for (let round = 0; round < rounds; round++) {
      let isOver = false
      const writing = load.write({
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
        if (read.status !== 200) findings.broken.push(`a read returned ${read.status}`)
        if ((await storageOf(server.url)) === 'failed') unwell++
        // Leaves space for one file and its rows. Other writers may use the space first.
        if (!outer.postgres) truncateSync(fill, Math.max(0, statSync(fill).size - UPLOAD_BYTES))
        const { status } = await upload(uploader, makeBrokenMp4(UPLOAD_BYTES))
        uploads.set(status, (uploads.get(status) ?? 0) + 1)
        // Fills the space that the database engine has freed.
        fillUp(fill)
        await sleep(50)
      }
      rmSync(fill)
      const before = load.journal.acknowledged
      const freed = Date.now()
      while (load.journal.acknowledged < before + 50) {
        if (Date.now() - freed > 30_000) break
        await sleep(20)
      }
      const storage = await storageOf(server.url)
      if (storage !== 'ok')
        findings.broken.push(`storage is reported as ${storage} although there is space again`)
      slowestAgain = Math.max(slowestAgain, Date.now() - freed)
      isOver = true
      for (const [status, times] of (await writing).refused) {
        refused.set(status, (refused.get(status) ?? 0) + times)
        if (status !== 507) findings.broken.push(`${times} writes returned ${status}`)
      }
      if (!refused.has(507)) findings.broken.push('no write returned 507')
    }
    if (slowestAgain > RECOVERY_MS) findings.broken.push(`recovered after ${slowestAgain} ms`)
    // On PostgreSQL the stored files are not on the full disk, so the health check reports no storage error.
    if (unwell === 0 && !outer.postgres)
      findings.broken.push('the health check did not report the full disk')
    for (const [status, times] of uploads) {
      if (status !== 201 && status !== 507)
        findings.broken.push(`${times} uploads returned ${status}`)
    }
    if (!uploads.has(507)) findings.broken.push('no upload returned 507')
    await compareFiles(harness, findings)
    if (server.child.exitCode !== null) findings.broken.push('the server exited')
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    findings.notes.push(
      `${refused.get(507) ?? 0} writes and ${uploads.get(507) ?? 0} of ${reads} uploads returned 507, ${reads} reads at the same time; recovered after ${slowestAgain} ms`,
    )
    return findings
  },
}

async function compareFiles(harness: Harness, findings: Findings): Promise<void> {
  const stored = globSync('files/*/*', { cwd: harness.dataDir }).length
  const known = (await harness.sql('select path from files')).length
  if (stored !== known) findings.broken.push(`${stored} files are stored, ${known} are known`)
}

async function storageOf(url: string): Promise<string> {
  const health = await fetch(`${url}/api/health`)
  const { data } = (await health.json()) as { data: { checks: { storage: string } } }
  return data.checks.storage
}

async function onSmallTablespace(outer: Harness, folder: string): Promise<Harness> {
  const { postgres } = outer
  if (!postgres) throw new Error('only PostgreSQL has tablespaces')
  // PostgreSQL runs as another user and must be able to enter the folder.
  chmodSync(outer.folder, 0o755)
  const space = join(folder, 'space')
  mkdirSync(space)
  if (postgres.owner) chownSync(space, postgres.owner.uid, postgres.owner.gid)
  await postgres.sql(`create tablespace small location '${space}'`)
  const harness = await Harness.make(postgres, 'tablespace small')
  outer.atEnd(async () => {
    await harness.close()
    await postgres.sql('drop tablespace small')
  })
  return harness
}

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
