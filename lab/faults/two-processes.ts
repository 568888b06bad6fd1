import { setTimeout as sleep } from 'node:timers/promises'
import type { Serving } from '../../test/process.ts'
import type { Fault } from './fault.ts'
import { noFindings } from './harness/findings.ts'
import { LoadGenerator } from './harness/load-generator.ts'

export const twoProcesses: Fault = {
  name: 'two-processes',
  promise: 'loses and duplicates nothing with two servers when one of them is killed',
  rounds: { full: 10, short: 1 },
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, 32)
    const servers: Serving[] = await Promise.all([harness.serve(), harness.serve()])
    await load.prepare((servers[0] as Serving).url)
    let isOver = false
    let turn = 0
    const writing = load.write({
      url: () => (servers[turn++ % servers.length] as Serving).url,
      isOver: () => isOver,
      isPersistent: true,
    })
    for (let round = 0; round < rounds; round++) {
      await sleep(1500)
      const [doomed] = servers.splice(round % 2, 1) as [Serving]
      doomed.child.kill('SIGKILL')
      await doomed.ended
      await sleep(200)
      servers.push(await harness.serve())
    }
    await sleep(500)
    isOver = true
    const stats = await writing
    for (const [status, times] of stats.refused) {
      // 409 is allowed, because a transaction of the killed server may still lock the request's
      // Idempotency-Key.
      if (status !== 409) findings.broken.push(`${times} requests returned ${status}`)
    }
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    findings.notes.push(
      `${stats.unanswered} requests got no response and were retried at the other server`,
    )
    return findings
  },
}
