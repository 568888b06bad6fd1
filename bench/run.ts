/**
 * Measures the speed of this version of Plaza:
 *
 * - With `--against`, it compares all requests with another version.
 * - Otherwise it compares five requests with a bare Fastify route and with hand-written handlers.
 *
 * On a busy machine only the ratios are reliable. Each ratio is a median over the rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/db/open.ts'
import { compareAnswers, compareDatabases, record } from './compare.ts'
import { checkOut, type Cleanups, fileOf, makeDatabases, type Place } from './databases.ts'
import { load, type Rate } from './load.ts'
import { readSetup, report, SETUP_OPTIONS, SETUP_USAGE, type Setup } from './report.ts'
import { type Row, ROWS } from './rows.ts'
import { ROOT, type Server, startPlaza, startProgram } from './servers.ts'
import type { World } from './world.ts'

const COMPARED = ROWS.filter(({ target }) => target !== undefined)
const nameOf = ({ name }: Row) => name
const USAGE = `Usage: npm run bench -- [options]
  --against REF              compare with another version, a git reference
  --against-path DIR         compare with another version, a checkout with its own node_modules
${SETUP_USAGE}
  --rows NAMES               comma-separated: ${COMPARED.map(nameOf).join(', ')},
                             and with --against also ${ROWS.filter((row) => !COMPARED.includes(row))
                               .map(nameOf)
                               .join(', ')}
  --profile DIR              write a CPU profile of Plaza to DIR`

type Options = NonNullable<ReturnType<typeof readOptions>>

const cleanups: Cleanups = []
const directory = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  await main()
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}

async function main(): Promise<void> {
  const options = readOptions()
  if (!options) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const { against, setup, rows } = options
  const { names, servers, world } = await (against ? startVersions : startRivals)(options)
  const measured = []
  for (const row of rows) {
    process.stderr.write(`${row.name}...\n`)
    measured.push({ row, rounds: await measure(row, world, servers, setup) })
  }
  report(setup, names, measured)
}

interface Started {
  names: string[]
  servers: Server[]
  world: World
}

/** Starts a server of each version. The other version fills the databases. This version migrates its own copy. */
async function startVersions({ against, setup, profile }: Options): Promise<Started> {
  const otherRoot = against?.path ?? join(directory, 'other')
  if (against?.ref) checkOut(against.ref, otherRoot, cleanups)
  const { world, places } = await makeDatabases(setup.engine, directory, otherRoot, cleanups)
  const servers = [
    await keep(startPlaza(settingsOf(places[0]), undefined, otherRoot)),
    await keep(startPlaza(settingsOf(places[1]), profile)),
  ]
  return { names: ['other', 'plaza'], servers, world }
}

async function startRivals({ setup, rows, profile }: Options): Promise<Started> {
  const { world, places } = await makeDatabases(setup.engine, directory, ROOT, cleanups)
  const [place, own] = places
  const plaza = await keep(startPlaza(settingsOf(own), profile))
  const expected = []
  for (const row of rows) expected.push(await record(row, world, plaza.url))
  const file = join(directory, 'answers.json')
  writeFileSync(file, JSON.stringify(expected.map((answers) => answers.at(-1))))
  const address = place.databaseUrl ?? fileOf(place)
  const minimal = await keep(startProgram('bench/minimal.ts', file, address))
  for (const [index, row] of rows.entries()) {
    compareAnswers(await record(row, world, minimal.url), expected[index]!)
  }
  const [left, right] = [openDatabase(place), openDatabase(own)]
  await compareDatabases(left, right)
  await Promise.all([left.close(), right.close()])
  const bare = await keep(startProgram('bench/minimal.ts', file, 'bare'))
  return { names: ['bare', 'minimal', 'plaza'], servers: [bare, minimal, plaza], world }
}

function settingsOf({ dataDir, databaseUrl }: Place) {
  return { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
}

async function keep(starting: Promise<Server>): Promise<Server> {
  const server = await starting
  cleanups.push(() => server.stop())
  return server
}

/** Returns the rates of each round, in the order of `servers`. Each round starts with a different server. */
async function measure(
  row: Row,
  world: World,
  servers: Server[],
  { connections, seconds, rounds }: Setup,
): Promise<Rate[][]> {
  const warmUp = Math.min(2, seconds)
  for (const server of servers) await load(server, row, world, { connections, seconds: warmUp })
  const found: Rate[][] = []
  for (let round = 0; round < rounds; round++) {
    const rates: Rate[] = []
    for (let turn = 0; turn < servers.length; turn++) {
      const index = (round + turn) % servers.length
      rates[index] = await load(servers[index]!, row, world, { connections, seconds })
    }
    found.push(rates)
  }
  return found
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      'against-path': { type: 'string' },
      rows: { type: 'string' },
      profile: { type: 'string' },
      ...SETUP_OPTIONS,
    },
  })
  const { profile, against: ref, 'against-path': path } = values
  const against = path ? { path: resolve(path) } : ref ? { ref } : undefined
  const names = values.rows?.split(',')
  const possible = against ? ROWS : COMPARED
  const rows = possible.filter(({ name }) => !names || names.includes(name))
  const setup = readSetup(values)
  if (values.help || !setup || rows.length !== (names ?? possible).length) return undefined
  return { against, setup, rows, profile }
}
