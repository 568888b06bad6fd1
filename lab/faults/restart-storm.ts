import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './harness/findings.ts'
import { LoadGenerator } from './harness/load-generator.ts'

export const restartStorm: Fault = {
  name: 'restart-storm',
  promise: 'applies each request once when clients retry with the same key',
  rounds: { full: 20, short: 3 },
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, 24)
    let server = await harness.serve()
    await load.prepare(server.url)
    let isOver = false
    const writing = load.write({
      url: () => server.url,
      isOver: () => isOver,
      isPersistent: true,
    })
    for (let round = 0; round < rounds; round++) {
      await sleep(randomInt(100, 1200))
      server.child.kill(round % 3 === 2 ? 'SIGTERM' : 'SIGKILL')
      await server.ended
      server = await harness.serve()
    }
    isOver = true
    const stats = await writing
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    const unanswered = load.journal.creations.filter((write) => !write.isAcknowledged).length
    if (unanswered > 0) findings.broken.push(`${unanswered} never got a response`)
    findings.notes.push(`${stats.unanswered} requests got no response and were retried`)
    return findings
  },
}
