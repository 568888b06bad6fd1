/** Fault: two servers on one database serve the same users, and one is killed repeatedly. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Serving } from '../test/process.ts'
import type { Fault } from './fault.ts'
import { noFindings } from './ground/findings.ts'
import { Crowd } from './ground/crowd.ts'

export const twoProcesses: Fault = {
  name: 'two-processes',
  promise: 'loses and duplicates nothing with two servers when one of them is killed',
  rounds: { full: 10, short: 1 },
  async run(ground, rounds) {
    const findings = noFindings()
    const crowd = await Crowd.gather(ground, 32)
    const servers: Serving[] = await Promise.all([ground.serve(), ground.serve()])
    await crowd.settle((servers[0] as Serving).url)
    let isOver = false
    let turn = 0
    const writing = crowd.write({
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
      servers.push(await ground.serve())
    }
    await sleep(500)
    isOver = true
    const met = await writing
    for (const [status, times] of met.refused) {
      // A transaction of the killed server can still hold the key of its request.
      if (status !== 409) findings.broken.push(`${times} requests returned ${status}`)
    }
    await crowd.journal.verify(ground, findings)
    await ground.recount(findings)
    findings.notes.push(
      `${met.unanswered} requests got no response and were retried at the other server`,
    )
    return findings
  },
}
