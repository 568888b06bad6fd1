/** The server is asked to end while 64 clients write without pause on connections they keep. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { median, noFindings } from './ground/findings.ts'
import { Crowd } from './ground/crowd.ts'

const CLIENTS = 64
const END_MS = 10_000

export const gracefulStop: Fault = {
  name: 'graceful-stop',
  promise: 'a server that is asked to end answers every request that reached it, and ends well',
  rounds: { full: 50, short: 2 },
  async run(ground, rounds) {
    const findings = noFindings()
    const crowd = await Crowd.gather(ground, CLIENTS)
    const ends: number[] = []
    let met = 0
    for (let round = 0; round < rounds; round++) {
      const server = await ground.serve()
      if (round === 0) await crowd.settle(server.url)
      await crowd.resume(server.url)
      await crowd.connect(server.url)
      const writing = crowd.write({
        url: () => server.url,
        isOver: () => false,
        isPersistent: false,
      })
      const answered = crowd.journal.acknowledged
      while (
        crowd.journal.acknowledged < answered + 4 * CLIENTS &&
        server.child.exitCode === null
      ) {
        await sleep(10)
      }
      await sleep(Math.random() * 100)
      const asked = performance.now()
      server.child.kill('SIGTERM')
      const code = await Promise.race([server.ended, sleep(END_MS + 5000, 'nothing')])
      ends.push(performance.now() - asked)
      if (code !== 0) findings.broken.push(`ended with ${code}: ${server.out().slice(-300)}`)
      if (code === 'nothing') break
      const { broken, refused } = await writing
      for (const text of broken) findings.broken.push(`a request was broken: ${text}`)
      for (const [status, times] of refused) {
        findings.broken.push(`${times} requests were answered ${status}`)
      }
      met += crowd.people.length
      if (findings.broken.length > 20) break
    }
    await crowd.journal.verify(ground, findings)
    await ground.recount(findings)
    findings.notes.push(
      `${met} clients met the end`,
      `ended in ${median(ends).toFixed(0)} ms in the middle, ${Math.max(...ends).toFixed(0)} ms at worst`,
    )
    return findings
  },
}
