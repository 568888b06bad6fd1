import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Serving } from '../../test/process.ts'
import type { Fault } from './fault.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

export const restartStorm: Fault = {
  name: 'restart-storm',
  promise: 'applies each request once when clients retry with the same key',
  rounds: { full: 20, short: 3 },
  async run(harness, rounds) {
    const load = await LoadGenerator.gather(harness, 24)
    let server = await harness.serve()
    await load.prepare(server.url)
    const writing = load.start(() => server.url)
    for (let round = 0; round < rounds; round++) {
      await sleep(randomInt(100, 1200))
      await (round % 3 === 2 ? harness.stop(server) : harness.kill(server))
      server = await harness.serve()
    }
    const { unanswered } = await writing.stop()
    await load.check()
    const open = load.journal.creations.filter((write) => !write.isAcknowledged).length
    if (open > 0) harness.findings.broken.push(`${open} never got a response`)
    harness.findings.notes.push(`${unanswered} requests got no response and were retried`)
  },
}

export const twoProcesses: Fault = {
  name: 'two-processes',
  promise: 'loses and duplicates nothing with two servers when one of them is killed',
  rounds: { full: 10, short: 1 },
  async run(harness, rounds) {
    const load = await LoadGenerator.gather(harness, 32)
    const servers: Serving[] = await Promise.all([harness.serve(), harness.serve()])
    await load.prepare((servers[0] as Serving).url)
    let turn = 0
    const writing = load.start(() => (servers[turn++ % servers.length] as Serving).url)
    for (let round = 0; round < rounds; round++) {
      await sleep(1500)
      await harness.kill(...(servers.splice(round % 2, 1) as [Serving]))
      await sleep(200)
      servers.push(await harness.serve())
    }
    await sleep(500)
    const stats = await writing.stop()
    // 409 is allowed, because a transaction of the killed server may still lock the request's Idempotency-Key.
    load.judge(stats, 409)
    await load.check()
    harness.findings.notes.push(
      `${stats.unanswered} requests got no response and were retried at the other server`,
    )
  },
}
