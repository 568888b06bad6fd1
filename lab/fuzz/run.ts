/** Checks the responses to generated requests against openapi.json. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Engine } from '../../src/db/statement.ts'
import { ENGINES } from '../harness/harness.ts'
import { runCampaign } from './campaign.ts'
import { runDifferential } from './differential.ts'
import { Description } from './document.ts'
import { runModel } from './model-run.ts'
import { runRaces } from './races.ts'
import { report } from './report.ts'
import { startTarget } from './target.ts'

const USAGE = `Usage: npm run fuzz -- [options]
  --requests N               requests to each engine, default 10000
  --differential N           compare the responses of both engines to N requests
  --model N                  compare N sequences of actions with a model
  --races N                  race N acts, with blocks, decisions and erasures, then recount
  --engine sqlite|postgres   default both
  --seed S                   default random
  --lanes N                  concurrent senders, default 6`

// Exits even if connections are still open.
process.exit(await main())

async function main(): Promise<number> {
  const options = readOptions()
  if (!options) {
    console.error(USAGE)
    return 2
  }
  const { requests, seed, lanes, engines, differential, model, races } = options
  if (model > 0) return sumOf(engines, (engine) => runModel(engine, model, seed))
  if (races > 0) return sumOf(engines, (engine) => runRaces(engine, races, seed))
  const document = new Description()
  if (differential > 0) return (await runDifferential(document, differential, seed)) > 0 ? 1 : 0
  return sumOf(engines, async (engine) => {
    const target = await startTarget(engine)
    try {
      const campaign = { requests, seed, lanes }
      return report(engine, campaign, await runCampaign(target, document, campaign))
    } finally {
      await target.close()
    }
  })
}

async function sumOf(
  engines: readonly Engine[],
  run: (engine: Engine) => Promise<number>,
): Promise<number> {
  let failures = 0
  for (const engine of engines) failures += await run(engine)
  return failures > 0 ? 1 : 0
}

function readOptions() {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
  try {
    const { values } = parseArgs({
      options: {
        requests: text('10000'),
        differential: text('0'),
        model: text('0'),
        races: text('0'),
        engine: text('both'),
        seed: text(String(randomInt(1_000_000_000))),
        lanes: text('6'),
      },
    })
    const { engine, ...figures } = values
    const engines = engine === 'both' ? ENGINES : ENGINES.filter((name) => name === engine)
    const isWhole = Object.values(figures).every((figure) => /^\d{1,9}$/.test(figure))
    if (!isWhole || engines.length === 0 || figures.lanes === '0') return undefined
    const numbers = Object.entries(figures).map(([name, figure]) => [name, Number(figure)])
    return { engines, ...(Object.fromEntries(numbers) as Record<keyof typeof figures, number>) }
  } catch {
    return undefined
  }
}
