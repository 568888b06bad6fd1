import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { median } from '../../bench/report.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

const USERS = 48
const AT_LEAST = 520
const HEALTHY_MS = 2000

export const killUnderLoad: Fault = {
  name: 'kill-under-load',
  promise: 'loses no acknowledged write when killed and keeps counts equal to their rows',
  rounds: { full: 200, short: 3 },
  async run(harness, rounds) {
    const { broken, notes } = harness.findings
    const load = await LoadGenerator.gather(harness, USERS)
    const starts: number[] = []
    let unanswered = 0
    for (let round = 0; round <= rounds; round++) {
      const server = await harness.serve()
      const { url } = server
      if (round === 0) {
        await load.prepare(url)
      } else {
        starts.push(server.startedIn)
        await load.check()
      }
      if (round === rounds || broken.length > 20) break
      await load.resume(url)
      const writing = load.start(url, { isPersistent: false })
      await load.recovery(AT_LEAST)
      await sleep(randomInt(60))
      await harness.kill(server)
      unanswered += (await writing.ended).unanswered
    }
    await harness.doctor()
    const slowest = Math.max(...starts)
    notes.push(
      `${unanswered} writes without a response`,
      `healthy again after ${median(starts).toFixed(0)} ms (median), ${slowest.toFixed(0)} ms at most`,
    )
    if (slowest > HEALTHY_MS) {
      const late = starts.filter((ms) => ms > HEALTHY_MS).length
      notes.push(`${late} of ${starts.length} starts took more than ${HEALTHY_MS} ms`)
    }
  },
}
