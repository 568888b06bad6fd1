import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { CuttingProxy } from './proxy.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

/**
 * Returns after how many bytes the proxy cuts the connection. Rounds 0 to 39 cut after 0 to 39 bytes, at each
 * byte of a message header. Later rounds cut later, the last ones after several messages.
 */
const lengthOf = (round: number) => (round < 40 ? round : Math.round(40 * 1.12 ** (round - 39)))

export const connectionCuts: Fault = {
  name: 'connection-cuts',
  promise: 'loses and duplicates nothing when a database connection breaks at any byte',
  engines: ['postgres'],
  rounds: { full: 80, short: 4 },
  async run(harness, rounds) {
    const through = new URL(harness.databaseUrl as string)
    const proxy = await CuttingProxy.start(Number(through.port))
    harness.atEnd(() => proxy.close())
    through.port = String(proxy.port)
    const load = await LoadGenerator.gather(harness, 16)
    const server = await harness.serve({ DATABASE_URL: through.href })
    await load.prepare(server.url)
    const writing = load.start(server.url)
    let slowestAgain = 0
    for (let round = 0; round < rounds; round++) {
      for (const direction of ['there', 'back'] as const) {
        proxy.cutting = { every: 3, bytes: lengthOf(round), direction }
        await sleep(60)
      }
      proxy.cutting = undefined
      slowestAgain = Math.max(slowestAgain, await load.recovery(20))
    }
    const stats = await writing.stop()
    harness.findings.notes.push(`${proxy.cut} connections cut`)
    load.judgeAbsence(stats, slowestAgain)
    await load.check()
  },
}
