/**
 * `npm run failover [-- ROUNDS]` runs a cluster whose primary fails repeatedly under load. `npm run failover --
 * configure FOLDER HOST...` writes the configuration of such a cluster.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { plaza, type Serving, serve } from '../../test/process.ts'
import { compare } from './checks.ts'
import { FAILURES, type Failure, type RunningCluster, startCluster, until } from './cluster.ts'
import { databaseUrl } from './config.ts'
import { writeConfiguration } from './configure.ts'
import { startWriters, type Writers } from './writers.ts'

const WRITERS = 8
const LOAD_MS = 3000
const LONGEST_ANSWER_MS = 10_000
const PROMOTION_PATIENCE_MS = 90_000
const RETURN_PATIENCE_MS = 180_000

interface Round {
  failure: Failure
  primary: string
  successor: string
  promotionMs: number
  successMs: number
  returnMs: number
}

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
  const settings = {
    DATABASE_URL: databaseUrl(cluster.config),
    DATA_DIR: join(cluster.directory, 'plaza'),
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    CAPTCHA_SECRET: randomBytes(32).toString('hex'),
    CAPTCHA_COST: '10',
    RATE_LIMITS: 'off',
    FFMPEG: 'off',
    CHROMIUM: 'off',
    LOG_LEVEL: 'error',
  }
  const servers: Serving[] = []
  for (let i = 0; i < 2; i++) servers.push(await serve(settings))
  process.once('exit', (code) => {
    if (code === 1) for (const { out } of servers) console.error(out().slice(-4000))
  })
  const writers = await startWriters(
    servers.map(({ url }) => url),
    WRITERS,
  )
  let isWell = true
  for (let i = 0; i < count; i++) {
    const failure = failures[i % failures.length] as Failure
    writers.resetResponses()
    const round = await failOnce(cluster, writers, failure).catch((error: unknown) => {
      const { statuses, faults } = writers.responses
      console.error(new Map(statuses), faults.slice(0, 20))
      throw error
    })
    const doctor = await plaza(['doctor'], settings)
    const findings = await compare(settings.DATABASE_URL, writers.journal)
    const { statuses, slowestMs, faults } = writers.responses
    const { lost, duplicated } = findings
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    console.log(
      [
        `round ${i + 1}: ${round.failure}: ${round.primary} -> ${round.successor}`,
        `promotion ${seconds(round.promotionMs)}`,
        `first success ${seconds(round.successMs)}`,
        `back as standby ${seconds(round.returnMs)}`,
        `slowest response ${seconds(slowestMs)}`,
        `acknowledged ${findings.acknowledged}`,
        `lost ${lost.length}`,
        `duplicated ${duplicated.length}`,
        `present but unacknowledged ${findings.unacknowledged}`,
        `statuses ${[...statuses].map(([status, times]) => `${status} x ${times}`).join(' ')}`,
      ].join('; '),
    )
    const wrong = [...lost, ...duplicated, ...faults]
    if (slowestMs > LONGEST_ANSWER_MS) wrong.push(`a response took ${seconds(slowestMs)}`)
    if (doctor.code !== 0) wrong.push(doctor.out)
    for (const server of servers) {
      if (server.child.exitCode !== null) wrong.push(`a server exited: ${server.out()}`)
    }
    for (const what of wrong.slice(0, 20)) console.log(`  ${what}`)
    if (wrong.length > 0) isWell = false
  }
  return isWell
}

/**
 * Makes the primary fail under load, recovers its node and waits until the node has rejoined the cluster. Then pauses
 * the writers.
 */
async function failOnce(
  cluster: RunningCluster,
  writers: Writers,
  failure: Failure,
): Promise<Round> {
  const primary = await until(() => cluster.findPrimary(), PROMOTION_PATIENCE_MS, 'no primary')
  writers.resume()
  await sleep(LOAD_MS)
  const start = Date.now()
  const bringBack = cluster.fail(primary, failure)
  writers.responses.watchFrom = Date.now()
  const successor = await until(
    async () => {
      const node = await cluster.findPrimary()
      return node === primary ? undefined : node
    },
    PROMOTION_PATIENCE_MS,
    'no standby was promoted',
  )
  const promoted = Date.now()
  const success = await until(
    async () => writers.responses.firstSuccess,
    PROMOTION_PATIENCE_MS,
    'the servers did not find the new primary',
  )
  await sleep(LOAD_MS)
  bringBack()
  const returning = Date.now()
  await until(
    async () => (await cluster.isWhole(successor)) || undefined,
    RETURN_PATIENCE_MS,
    `${primary.name} did not come back`,
  )
  const returned = Date.now()
  await sleep(LOAD_MS)
  await writers.pause()
  return {
    failure,
    primary: primary.name,
    successor: successor.name,
    promotionMs: promoted - start,
    successMs: success - start,
    returnMs: returned - returning,
  }
}
