/**
 * `npm run failover [-- ROUNDS]` runs a cluster whose primary fails repeatedly under load. `npm run failover --
 * configure FOLDER HOST...` writes the configuration of such a cluster.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Harness, until } from '../harness/harness.ts'
import { LoadGenerator, type Stats } from '../harness/load-generator.ts'
import { FAILURES, type Failure, type RunningCluster, startCluster } from './cluster.ts'
import { databaseUrl } from './config.ts'
import { writeConfiguration } from './configure.ts'

const WRITERS = 8
const LOAD_MS = 3000
const LONGEST_ANSWER_MS = 10_000
const PROMOTION_PATIENCE_MS = 90_000
const RETURN_PATIENCE_MS = 180_000

const [first = '10', ...rest] = process.argv.slice(2)
if (first === 'configure') configure(rest)
else await runOnThisMachine(first, rest)

function configure([folder, ...hosts]: string[]): void {
  if (!folder || hosts.length < 3 || hosts.some((host) => !/^[\w.:-]+$/.test(host))) {
    console.error('Usage: npm run failover -- configure FOLDER HOST HOST HOST...')
    process.exit(2)
  }
  try {
    for (const path of writeConfiguration(folder, hosts)) console.log(path)
  } catch (error) {
    console.error(`${(error as Error).message}: choose a new folder`)
    process.exit(1)
  }
}

async function runOnThisMachine(rounds: string, named: string[]): Promise<void> {
  const failures = (named.length > 0 ? named : Object.keys(FAILURES)) as Failure[]
  if (!/^[1-9]\d{0,3}$/.test(rounds) || failures.some((name) => !(name in FAILURES))) {
    console.error('Usage: npm run failover [-- ROUNDS [FAILURE...]]')
    for (const [name, meaning] of Object.entries(FAILURES)) console.error(`  '${name}': ${meaning}`)
    process.exit(2)
  }
  const cluster = await startCluster()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => void cluster.stop().then(() => process.exit(130)))
  }
  try {
    process.exitCode = (await run(cluster, Number(rounds), failures)) ? 0 : 1
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    await cluster.stop()
  }
  process.exit()
}

async function run(cluster: RunningCluster, count: number, failures: Failure[]): Promise<boolean> {
  const folder = join(cluster.directory, 'plaza')
  const harness = new Harness(databaseUrl(cluster.config), undefined, folder)
  const { broken } = harness.findings
  let isWell = true
  try {
    const load = await LoadGenerator.gather(harness, WRITERS)
    const servers = [await harness.serve(), await harness.serve()]
    const urls = servers.map(({ url }) => url)
    process.once('exit', (code) => {
      if (code === 1) for (const { out } of servers) console.error(out().slice(-4000))
    })
    await load.prepare(urls[0] as string)
    for (let i = 0; i < count; i++) {
      const failure = failures[i % failures.length] as Failure
      const { line, stats } = await failOnce(cluster, load, urls, failure)
      if (stats.unanswered > 0) broken.push(`no response: ${stats.unanswered} x ${stats.broken[0]}`)
      if (stats.slowestMs > LONGEST_ANSWER_MS) broken.push(`a response took ${stats.slowestMs} ms`)
      load.judge(stats, 503)
      await load.check()
      await harness.doctor()
      const { acknowledged, lost, duplicated } = harness.findings
      console.log(
        `round ${i + 1}: ${line}; acknowledged ${acknowledged}; lost ${lost}; duplicated ${duplicated}`,
      )
      if (broken.length > 0) isWell = false
      for (const text of broken.splice(0).slice(0, 20)) console.log(`  ${text}`)
    }
    return isWell
  } finally {
    await harness.close()
  }
}

/**
 * Makes the primary fail under load, recovers its node and waits until the node has rejoined the cluster. Then stops the
 * writers.
 */
async function failOnce(
  cluster: RunningCluster,
  load: LoadGenerator,
  urls: readonly string[],
  failure: Failure,
): Promise<{ line: string; stats: Stats }> {
  const primary = await until(() => cluster.findPrimary(), PROMOTION_PATIENCE_MS, 'no primary')
  let turn = 0
  const writing = load.start(() => urls[turn++ % urls.length] as string)
  await sleep(LOAD_MS)
  const start = Date.now()
  const bringBack = cluster.fail(primary, failure)
  // Each writer has one request in progress, so one more success than writers is the success of a later request.
  const success = load.recovery(WRITERS + 1, 2 * PROMOTION_PATIENCE_MS)
  const successor = await until(
    async () => {
      const node = await cluster.findPrimary()
      return node !== primary && node
    },
    PROMOTION_PATIENCE_MS,
    'no standby was promoted',
  )
  const promotionMs = Date.now() - start
  const successMs = await success
  if (successMs >= 2 * PROMOTION_PATIENCE_MS) throw new Error('the servers found no new primary')
  await sleep(LOAD_MS)
  bringBack()
  const returning = Date.now()
  await until(
    () => cluster.isWhole(successor),
    RETURN_PATIENCE_MS,
    `${primary.name} did not come back`,
  )
  const returnMs = Date.now() - returning
  await sleep(LOAD_MS)
  const stats = await writing.stop()
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const figures = [
    `${failure}: ${primary.name} -> ${successor.name}`,
    `promotion ${seconds(promotionMs)}`,
    `first success ${seconds(successMs)}`,
    `back as standby ${seconds(returnMs)}`,
    `slowest response ${seconds(stats.slowestMs)}`,
    `503 x ${stats.refused.get(503) ?? 0}`,
  ]
  return { line: figures.join('; '), stats }
}
