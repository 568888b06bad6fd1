import fc from 'fast-check'
import type { Engine } from '../../src/db/statement.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { idsOf, makeContent } from '../../test/make.ts'
import type { World } from '../../test/model.ts'
import { parallelProperty } from '../../test/parallel-model.ts'
import { serialProperty } from '../../test/staff-model.ts'
import { recount } from '../harness/harness.ts'
import { startTarget } from './target.ts'

const PARALLEL_PART = 0.3
const COMMANDS_MAX = 200

export async function runModel(engine: Engine, sequences: number, seed: number): Promise<number> {
  const target = await startTarget(engine)
  const moderator = await target.user('admin', 'moderator')
  let made = 0
  const makeWorld = async (): Promise<World> => {
    const user = () => target.user('user', `member_${++made}`)
    const users = [await user(), await user(), await user()]
    const [creator] = users
    return {
      users,
      contents: idsOf([await makeContent(creator!), await makeContent(creator!)]),
      moderator,
      signIn: async ({ id }) => target.caller(await target.session(id)),
      async waitForJobs() {
        const unfinished = `select count(*) from jobs where kind in ('sweep', 'erasure')`
        while ((await target.number(unfinished)) > 0) await sleep(5)
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
      if (!details.failed) continue
      const { stack } = details.errorInstance as Error
      problems.push(`${fc.defaultReportMessage(details)}\n${stack}`)
    }
    problems.push(...(await recount(target.db)).problems)
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
