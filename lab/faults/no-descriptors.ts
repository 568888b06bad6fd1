import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, needsRootAnd } from './fault.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

const SPARE = 40
const CLIENTS = 500

export const noDescriptors: Fault = {
  name: 'no-descriptors',
  promise: 'keeps serving connected clients at the limit of open files and recovers afterwards',
  rounds: { full: 3, short: 1 },
  missing: needsRootAnd('prlimit'),
  async run(harness, rounds) {
    const { broken, notes } = harness.findings
    const load = await LoadGenerator.gather(harness, 8)
    const server = await harness.serve({ LOG_LEVEL: 'fatal' })
    await load.prepare(server.url)
    await load.connect(server.url)
    const pid = String(server.child.pid)
    const limit = readdirSync(`/proc/${pid}/fd`).length + SPARE
    execFileSync('prlimit', ['--pid', pid, `--nofile=${limit}:${limit}`])
    let slowestAgain = 0
    for (let round = 0; round < rounds; round++) {
      const writing = load.start(server.url, { forMs: 1500, isPersistent: false })
      const sockets: Socket[] = []
      for (let i = 0; i < CLIENTS; i++) {
        sockets.push(connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}))
      }
      const stats = await writing.ended
      if (stats.unanswered > 0)
        broken.push(`${stats.unanswered} requests on open connections without a response`)
      // 503 is allowed, because a database connection needs a file descriptor too.
      load.judge(stats, 503)
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
    harness.judgeRecovery(slowestAgain)
    await load.check()
    notes.push(`${CLIENTS} connections for ${SPARE} file descriptors`)
  },
}
