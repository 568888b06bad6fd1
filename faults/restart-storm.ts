/** Fault: the server is killed and restarted repeatedly while clients retry with their Idempotency-Keys. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './ground/findings.ts'
import { Crowd } from './ground/crowd.ts'

export const restartStorm: Fault = {
  name: 'restart-storm',
  promise: 'applies each request once when clients retry with the same key',
  rounds: { full: 20, short: 3 },
  async run(ground, rounds) {
    const findings = noFindings()
    const crowd = await Crowd.gather(ground, 24)
    let server = await ground.serve()
    await crowd.settle(server.url)
    let isOver = false
    const writing = crowd.write({
      url: () => server.url,
      isOver: () => isOver,
      isPersistent: true,
    })
    for (let round = 0; round < rounds; round++) {
      await sleep(randomInt(100, 1200))
      server.child.kill(round % 3 === 2 ? 'SIGTERM' : 'SIGKILL')
      await server.ended
      server = await ground.serve()
    }
    isOver = true
    const met = await writing
    await crowd.journal.verify(ground, findings)
    await ground.recount(findings)
    const unanswered = crowd.journal.creations.filter((write) => !write.isAcknowledged).length
    if (unanswered > 0) findings.broken.push(`${unanswered} never got a response`)
    findings.notes.push(`${met.unanswered} requests got no response and were retried`)
    return findings
  },
}
