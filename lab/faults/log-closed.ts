import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './harness/findings.ts'
import { LoadGenerator } from './harness/load-generator.ts'

export const logClosed: Fault = {
  name: 'log-closed',
  promise: 'keeps serving when the reader of its log is gone',
  rounds: { full: 3, short: 1 },
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, 8)
    for (let round = 0; round < rounds; round++) {
      const server = await harness.serve({ LOG_LEVEL: 'debug' })
      if (round === 0) await load.prepare(server.url)
      server.child.stdout?.destroy()
      const until = Date.now() + 800
      const stats = await load.write({
        url: () => server.url,
        isOver: () => Date.now() > until,
        isPersistent: false,
      })
      if (stats.unanswered > 0 || stats.refused.size > 0 || server.child.exitCode !== null) {
        findings.broken.push(
          `${stats.unanswered} requests without a response: ${server.out().slice(-500)}`,
        )
        break
      }
      server.child.kill('SIGTERM')
      const code = await Promise.race([server.ended, sleep(15_000, 'nothing')])
      if (code !== 0) findings.broken.push(`exited with ${code}`)
    }
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    return findings
  },
}
