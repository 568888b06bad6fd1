import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { median } from '../../bench/report.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

const CLIENTS = 64

export const gracefulStop: Fault = {
  name: 'graceful-stop',
  promise: 'answers every received request after SIGTERM and exits with code 0',
  rounds: { full: 50, short: 2 },
  async run(harness, rounds) {
    const { broken, notes } = harness.findings
    const load = await LoadGenerator.gather(harness, CLIENTS)
    const ends: number[] = []
    let inFlight = 0
    for (let round = 0; round < rounds; round++) {
      const server = await harness.serve()
      if (round === 0) await load.prepare(server.url)
      await load.resume(server.url)
      await load.connect(server.url)
      const writing = load.start(server.url, { isPersistent: false })
      await load.recovery(4 * CLIENTS)
      await sleep(Math.random() * 100)
      const asked = performance.now()
      await harness.stop(server)
      ends.push(performance.now() - asked)
      if (server.child.exitCode === null) break
      const stats = await writing.ended
      broken.push(...stats.broken.map((text) => `request without a response: ${text}`))
      load.judge(stats)
      inFlight += load.users.length
      if (broken.length > 20) break
    }
    await load.check()
    notes.push(
      `${inFlight} clients connected at shutdown`,
      `shutdown took ${median(ends).toFixed(0)} ms (median), ${Math.max(...ends).toFixed(0)} ms at most`,
    )
  },
}
