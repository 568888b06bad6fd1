import fc from 'fast-check'
import { examineDatabase } from '../../src/doctor/examine.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../test/model.ts'
import { parallelProperty } from '../../test/parallel-model.ts'
import { serialProperty } from '../../test/staff-model.ts'
import { type Engine, startTarget } from './target.ts'

const PARALLEL_PART = 0.3
const COMMANDS_MAX = 200

export async function runModel(engine: Engine, sequences: number, seed: number): Promise<number> {
  const target = await startTarget(engine)
  const moderator = await target.user('admin', 'moderator')
  let made = 0
  const makeWorld = async (): Promise<World> => {
    const user = () => target.user('user', `member_${++made}`)
    const users = [await user(), await user(), await user()]
    const contents: string[] = []
    for (const title of ['one', 'two']) {
      const content = { category: 'hype', type: 'image', title }
      contents.push((await users[0]!.post('/contents', content)).data.content.id)
    }
    return {
      users,
      contents,
      moderator,
      signIn: async ({ id }) => target.caller(await target.session(id)),
      async waitForJobs() {
        const unfinished = `select 1 from jobs where kind in ('sweep', 'erasure') limit 1`
        while ((await target.sql(unfinished)).length > 0) await sleep(5)
      },
    }
  }
  const start = performance.now()
  const parallel = Math.round(sequences * PARALLEL_PART)
  const problems: string[] = []
  try {
    const runs = [
      [serialProperty(makeWorld, COMMANDS_MAX), sequences - parallel],
      [parallelProperty(makeWorld), parallel],
    ] as const
    for (const [property, numRuns] of runs) {
      const details = await fc.check(property as fc.IAsyncProperty<unknown>, { seed, numRuns })
      if (details.failed) problems.push(`${fc.defaultReportMessage(details)}\n${causeOf(details)}`)
    }
    for (const { name, drift } of (await examineDatabase(target.db)).counts) {
      if (drift !== 0) problems.push(`doctor: ${name}: ${drift} drifted`)
    }
  } finally {
    await target.close()
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  for (const problem of problems) console.log(problem)
  console.log(
    `${engine}: ${sequences} sequences (${parallel} concurrent) in ${seconds} s, ${problems.length} problems (seed ${seed})`,
  )
  return problems.length
}

function causeOf({ errorInstance }: fc.RunDetails<unknown>): string {
  return errorInstance instanceof Error ? (errorInstance.stack ?? '') : String(errorInstance)
}
