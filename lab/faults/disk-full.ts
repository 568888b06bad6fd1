import { execFileSync } from 'node:child_process'
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
import { onServer, unprivilegedUser } from '../../scripts/postgres.ts'
import { type Fault, needsRoot } from './fault.ts'
import { Harness } from '../harness/harness.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

const MEGABYTES = 64
const UPLOAD_BYTES = 300_000

export const diskFull: Fault = {
  name: 'disk-full',
  promise:
    'answers writes with 507 and leaves no file on a full disk, keeps reads working, and recovers when there is space',
  rounds: { full: 5, short: 1 },
  missing: needsRoot,
  async run(outer, rounds) {
    const folder = join(outer.folder, 'small')
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', folder])
    outer.atEnd(() => execFileSync('umount', ['--lazy', folder]))
    // On PostgreSQL only the tables are on the small disk. The write-ahead log is on another disk, because PostgreSQL
    // stops when it cannot write the log.
    const harness = outer.postgres ? await onSmallTablespace(outer, folder) : outer
    if (!outer.postgres) harness.settings['DATA_DIR'] = harness.dataDir = join(folder, 'data')
    const { broken, notes } = outer.findings
    const load = await LoadGenerator.gather(harness, 16)
    const server = await harness.serve()
    await load.prepare(server.url)
    let refused = 0
    const uploads = new Map<number, number>()
    const uploader = anyone(server.url, { authorization: `Bearer ${load.users[0]?.token}` })
    let reads = 0
    let slowestAgain = 0
    let unwell = 0
    for (let round = 0; round < rounds; round++) {
      const writing = load.start(server.url)
      await sleep(500)
      const fill = join(folder, 'fill')
      fillUp(fill)
      const until = Date.now() + 4000
      while (Date.now() < until) {
        const read = await fetch(`${server.url}/api/v1/feeds?limit=5`)
        await read.text()
        reads++
        if (read.status !== 200) broken.push(`a read returned ${read.status}`)
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
      slowestAgain = Math.max(slowestAgain, await load.recovery(50))
      const storage = await storageOf(server.url)
      if (storage !== 'ok')
        broken.push(`storage is reported as ${storage} although there is space again`)
      const stats = await writing.stop()
      load.judge(stats, 507)
      refused += stats.refused.get(507) ?? 0
    }
    if (refused === 0) broken.push('no write returned 507')
    harness.judgeRecovery(slowestAgain)
    // On PostgreSQL the stored files are not on the full disk, so the health check reports no storage error.
    if (unwell === 0 && !outer.postgres)
      broken.push('the health check did not report the full disk')
    load.judge({ refused: uploads }, 201, 507)
    if (!uploads.has(507)) broken.push('no upload returned 507')
    const stored = globSync('files/*/*', { cwd: harness.dataDir }).length
    const known = await harness.number('select count(*) from files')
    if (stored !== known) broken.push(`${stored} files are stored, ${known} are known`)
    await load.check()
    notes.push(
      `${refused} writes and ${uploads.get(507) ?? 0} of ${reads} uploads returned 507, ${reads} reads at the same time`,
    )
  },
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
  const owner = unprivilegedUser()
  if (owner) chownSync(space, owner.uid, owner.gid)
  await onServer(postgres.url, `create tablespace small location '${space}'`)
  const harness = await Harness.make(postgres, 'tablespace small')
  harness.findings = outer.findings
  outer.atEnd(async () => {
    await harness.close()
    await onServer(postgres.url, 'drop tablespace small')
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
