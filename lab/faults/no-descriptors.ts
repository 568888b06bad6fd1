import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './harness/findings.ts'
import { needsRoot } from './harness/root.ts'
import { LoadGenerator } from './harness/load-generator.ts'

const SPARE = 40
const CLIENTS = 500
const RECOVERY_MS = 5000

export const noDescriptors: Fault = {
  name: 'no-descriptors',
  promise: 'keeps serving connected clients at the limit of open files and recovers afterwards',
  rounds: { full: 3, short: 1 },
  missing: () => (spawnSync('prlimit', ['-V']).status === 0 ? needsRoot() : 'needs prlimit'),
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, 8)
    const server = await harness.serve({ LOG_LEVEL: 'fatal' })
    await load.prepare(server.url)
    await load.connect(server.url)
    const pid = String(server.child.pid)
    const limit = readdirSync(`/proc/${pid}/fd`).length + SPARE
    execFileSync('prlimit', ['--pid', pid, `--nofile=${limit}:${limit}`])
    let slowestAgain = 0
    for (let round = 0; round < rounds; round++) {
      const until = Date.now() + 1500
      const writing = load.write({
        url: () => server.url,
        isOver: () => Date.now() > until,
        isPersistent: false,
      })
      const sockets: Socket[] = []
      for (let i = 0; i < CLIENTS; i++) {
        sockets.push(connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}))
      }
      const stats = await writing
      if (stats.unanswered > 0)
        findings.broken.push(`${stats.unanswered} requests on open connections without a response`)
      for (const [status, times] of stats.refused) {
        // 503 is allowed, because a database connection needs a file descriptor too.
        if (status !== 503) findings.broken.push(`${times} requests returned ${status}`)
      }
      for (const socket of sockets) socket.destroy()
      const freed = Date.now()
      while (Date.now() - freed < 30_000) {
        const isWell = await fetch(`${server.url}/api/health`, {
          headers: { connection: 'close' },
          signal: AbortSignal.timeout(1000),
        }).then(
          (answer) => answer.ok,
          () => false,
        )
        if (isWell) break
        await sleep(20)
      }
      slowestAgain = Math.max(slowestAgain, Date.now() - freed)
    }
    if (server.child.exitCode !== null) findings.broken.push('the server exited')
    if (slowestAgain > RECOVERY_MS) findings.broken.push(`recovered after ${slowestAgain} ms`)
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    findings.notes.push(
      `${CLIENTS} connections for ${SPARE} file descriptors; recovered after ${slowestAgain} ms`,
    )
    return findings
  },
}
