/** Makes one system call fail in each round: alternately a sync and a write. In later rounds a later call fails. */
import { join } from 'node:path'
import { type Fault, needsRootAnd } from './fault.ts'
import { LoadGenerator } from '../harness/load-generator.ts'
import { trace } from './tracing.ts'

const CALLS = ['fdatasync', 'pwrite64'] as const

export const ioErrors: Fault = {
  name: 'io-errors',
  promise: 'does not acknowledge a write whose sync fails and keeps all other writes',
  engines: ['sqlite'],
  rounds: { full: 40, short: 2 },
  missing: needsRootAnd('strace'),
  async run(harness, rounds) {
    const { broken, notes } = harness.findings
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
      const stats = await load.start(server.url, { forMs: 1200 }).ended
      const text = await tracing.stop()
      failed += text.split('EIO').length - 1
      load.judge(stats, 503, 409)
      await harness.kill(server)
      const next = await harness.serve()
      await load.check()
      await harness.kill(next)
      if (broken.length > 10) break
    }
    if (failed === 0) broken.push('no system call failed')
    notes.push(`${failed} system calls failed, ${load.journal.acknowledged} writes acknowledged`)
  },
}
