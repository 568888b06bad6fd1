/**
 * Checks with strace that writes are synced before they are acknowledged. Killing the process would not reveal a
 * missing sync, because the operating system still stores the writes.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, needsRootAnd } from './fault.ts'
import { listProcesses } from '../harness/processes.ts'
import { LoadGenerator } from '../harness/load-generator.ts'
import { trace } from './tracing.ts'

const CALLS = 'fdatasync,fsync,sync_file_range,write,writev,sendto'

export const syncs: Fault = {
  name: 'syncs',
  promise: 'syncs every write to disk before it sends the response',
  rounds: { full: 10, short: 1 },
  missing: needsRootAnd('strace'),
  async run(harness, rounds) {
    const { broken, notes } = harness.findings
    const totals = { syncs: 0, answers: 0, alone: 0 }
    const load = await LoadGenerator.gather(harness, 8)
    const server = await harness.serve()
    await load.prepare(server.url)
    for (let round = 0; round < rounds; round++) {
      // Alternates between one client, whose writes each need a sync, and all clients, whose writes share syncs.
      const writers = round % 2 === 0 ? 1 : load.users.length
      const pids = [server.child.pid as number]
      const postmaster = harness.postgres?.pid
      // strace follows later child processes by itself.
      const backends = listProcesses().filter(({ parent }) => parent === postmaster)
      if (postmaster) pids.push(postmaster, ...backends.map(({ pid }) => pid))
      const tracing = await trace(
        pids,
        ['-e', `trace=${CALLS}`, '-e', 'signal=none', '-s', '12'],
        join(harness.folder, `syncs-${round}`),
      )
      const before = load.journal.acknowledged
      await load.start(server.url, { forMs: 1500, isPersistent: false, many: writers }).ended
      await sleep(50)
      const text = await tracing.stop()
      const seen = readTrace(text)
      totals.syncs += seen.syncs
      const answers = load.journal.acknowledged - before
      totals.answers += answers
      if (writers > 1) continue
      totals.alone += answers
      // With a single client, the server must sync before every response.
      if (seen.unsynced > 0)
        broken.push(`${seen.unsynced} of ${answers} responses had no sync before them`)
      if (seen.answers < answers) broken.push(`strace saw ${seen.answers} of ${answers} responses`)
    }
    await load.check()
    notes.push(
      `${totals.syncs} syncs for ${totals.answers} acknowledged writes, ${totals.alone} of them from a single client`,
    )
  },
}

const SYNCED = /\b(fdatasync|fsync|sync_file_range)\b.*= 0$/
const ANSWERED = /\b(write|writev|sendto)\(.*"HTTP\/1\.1 20/

/**
 * Counts the syncs and the successful responses in a trace. `unsynced` counts the responses without a sync since the
 * previous response.
 */
function readTrace(text: string) {
  const seen = { syncs: 0, answers: 0, unsynced: 0 }
  let isSynced = false
  for (const line of text.split('\n')) {
    if (SYNCED.test(line)) {
      seen.syncs++
      isSynced = true
    } else if (ANSWERED.test(line)) {
      seen.answers++
      if (!isSynced) seen.unsynced++
      isSynced = false
    }
  }
  return seen
}
