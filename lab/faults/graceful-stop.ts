import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { median, noFindings } from './harness/findings.ts'
import { LoadGenerator } from './harness/load-generator.ts'

const CLIENTS = 64
const END_MS = 10_000

export const gracefulStop: Fault = {
  name: 'graceful-stop',
  promise: 'answers every received request after SIGTERM and exits with code 0',
  rounds: { full: 50, short: 2 },
  async run(harness, rounds) {
    const findings = noFindings()
    const load = await LoadGenerator.gather(harness, CLIENTS)
    const ends: number[] = []
    let inFlight = 0
    for (let round = 0; round < rounds; round++) {
      const server = await harness.serve()
      if (round === 0) await load.prepare(server.url)
      await load.resume(server.url)
      await load.connect(server.url)
      const writing = load.write({
        url: () => server.url,
        isOver: () => false,
        isPersistent: false,
      })
      const answered = load.journal.acknowledged
      while (load.journal.acknowledged < answered + 4 * CLIENTS && server.child.exitCode === null) {
        await sleep(10)
      }
      await sleep(Math.random() * 100)
      const asked = performance.now()
      server.child.kill('SIGTERM')
      const code = await Promise.race([server.ended, sleep(END_MS + 5000, 'nothing')])
      ends.push(performance.now() - asked)
      if (code !== 0) findings.broken.push(`exited with ${code}: ${server.out().slice(-300)}`)
      if (code === 'nothing') break
      const { broken, refused } = await writing
      for (const text of broken) findings.broken.push(`request without a response: ${text}`)
      for (const [status, times] of refused) {
        findings.broken.push(`${times} requests returned ${status}`)
      }
      inFlight += load.users.length
      if (findings.broken.length > 20) break
    }
    await load.journal.verify(harness, findings)
    await harness.recount(findings)
    findings.notes.push(
      `${inFlight} clients connected at shutdown`,
      `shutdown took ${median(ends).toFixed(0)} ms (median), ${Math.max(...ends).toFixed(0)} ms at most`,
    )
    return findings
  },
}
