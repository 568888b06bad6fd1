/** Makes one system call fail in each round: alternately a sync and a write. In later rounds a later call fails. */
import { join } from 'node:path'
import type { Fault } from './fault.ts'
import { noFindings } from './harness/findings.ts'
import { LoadGenerator } from './harness/load-generator.ts'
import { needsStrace, trace } from './harness/tracing.ts'

const CALLS = ['fdatasync', 'pwrite64'] as const

export const ioErrors: Fault = {
  name: 'io-errors',
  promise: 'does not acknowledge a write whose sync fails and keeps all other writes',
  engines: ['sqlite'],
  rounds: { full: 40, short: 2 },
  missing: needsStrace,
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, 6)
    let failed = 0
    for (let round = 0; round < rounds; round++) {
      const server = await harness.serve({ LOG_LEVEL: 'silent' })
      if (round === 0) await load.prepare(server.url)
      const call = CALLS[round % CALLS.length] as string
      const when = 1 + (round >> 1)
      const tracing = await trace(
        [server.child.pid as number],
        ['-e', `trace=${call}`, '-e', 'signal=none', '-e', `inject=${call}:error=EIO:when=${when}`],
        join(harness.folder, `errors-${round}`),
      )
      const until = Date.now() + 1200
      const stats = await load.write({
        url: () => server.url,
        isOver: () => Date.now() > until,
        isPersistent: true,
      })
      const text = await tracing.stop()
      failed += text.split('EIO').length - 1
      for (const [status, times] of stats.refused) {
        if (status !== 503 && status !== 409)
          findings.broken.push(`${times} requests returned ${status}`)
      }
      if (server.child.exitCode !== null) findings.broken.push('the server exited')
      server.child.kill('SIGKILL')
      await server.ended
      const next = await harness.serve()
      await load.journal.verify(harness, findings)
      await harness.recount(findings)
      next.child.kill('SIGKILL')
      await next.ended
      if (findings.broken.length > 10) break
    }
    if (failed === 0) findings.broken.push('no system call failed')
    findings.notes.push(
      `${failed} system calls failed, ${load.journal.acknowledged} writes acknowledged`,
    )
    return findings
  },
}
