import type { Fault } from './fault.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

export const logClosed: Fault = {
  name: 'log-closed',
  promise: 'keeps serving when the reader of its log is gone',
  rounds: { full: 3, short: 1 },
  async run(harness, rounds) {
    const load = await LoadGenerator.gather(harness, 8)
    for (let round = 0; round < rounds; round++) {
      const server = await harness.serve({ LOG_LEVEL: 'debug' })
      if (round === 0) await load.prepare(server.url)
      server.child.stdout?.destroy()
      const stats = await load.start(server.url, { forMs: 800, isPersistent: false }).ended
      load.judge(stats)
      if (stats.unanswered > 0) {
        harness.findings.broken.push(`${stats.unanswered} requests without a response`)
      }
      await harness.stop(server)
    }
    await load.check()
  },
}
