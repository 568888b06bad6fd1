import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { noFindings } from './harness/findings.ts'
import { LoadGenerator, judgeAbsence } from './harness/load-generator.ts'
import { CuttingProxy } from './harness/proxy.ts'

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
    const findings = noFindings()
    const { postgres, databaseUrl } = harness
    if (!postgres || !databaseUrl) throw new Error('needs PostgreSQL')
    const proxy = await CuttingProxy.start(postgres.port)
    harness.atEnd(() => proxy.close())
    const through = new URL(databaseUrl)
    through.port = String(proxy.port)
    const load = await LoadGenerator.gather(harness, 16)
    const server = await harness.serve({ DATABASE_URL: through.href })
    await load.prepare(server.url)
    let isOver = false
    const writing = load.write({
      url: () => server.url,
      isOver: () => isOver,
      isPersistent: true,
    })
    let slowestAgain = 0
    for (let round = 0; round < rounds; round++) {
      for (const direction of ['there', 'back'] as const) {
        proxy.cutting = { every: 3, bytes: lengthOf(round), direction }
        await sleep(60)
      }
      proxy.cutting = undefined
      const before = load.journal.acknowledged
      const back = Date.now()
      while (load.journal.acknowledged < before + 20 && Date.now() - back < 30_000) await sleep(5)
      slowestAgain = Math.max(slowestAgain, Date.now() - back)
    }
    isOver = true
    const stats = await writing
    findings.notes.push(`${proxy.cut} connections cut`)
    judgeAbsence(stats, slowestAgain, findings)
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    return findings
  },
}
