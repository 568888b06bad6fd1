/**
 * Compares Plaza with two servers on the same machine: (a) a bare Fastify route that sends the same bytes and
 * headers, and (b) hand-written handlers on the same rows with the same durability. On a busy machine the
 * rates mean little, but the ratios are reliable: each is a median over the rounds, and the servers of a
 * round run directly after each other.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPrivatePostgres } from '../scripts/postgres.ts'
import type { Db } from '../src/db/handle.ts'
import { openDatabase } from '../src/db/open.ts'
import { compareAnswers, compareDatabases, type Recorded } from './compare.ts'
import { load, type Rate } from './load.ts'
import { type Measured, report, type Setup } from './report.ts'
import { type Row, ROWS } from './rows.ts'
import { SECRETS, type Server, startPlaza, startProgram } from './servers.ts'
import { makeWorld, type World } from './world.ts'

const USAGE = `Usage: npm run bench -- [options]
  --engine sqlite|postgres   default sqlite
  --seconds N                seconds per round, default 3
  --rounds N                 rounds, default 3
  --connections N            connections, default 32
  --rows NAMES               comma-separated: ${ROWS.map(({ name }) => name).join(', ')}
  --profile DIR              write a CPU profile of Plaza to DIR
  --json                     print JSON instead of a table`

/** Two databases with the same content and their settings. */
interface Databases {
  minimal: { address: string; db: Db }
  plaza: { settings: { DATA_DIR: string } | { DATABASE_URL: string }; db: Db }
  world: World
}

/** Cleanup functions, run in reverse order at the end. */
const cleanups: (() => Promise<unknown> | void)[] = []

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  await main()
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}

async function main(): Promise<void> {
  const { setup, rows, json, profile } = readOptions()
  const directory = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const make = setup.engine === 'sqlite' ? makeSqlite : makePostgres
  const { minimal, plaza, world } = await make(directory)
  const b = await keep(startProgram('bench/minimal.ts', minimal.address))
  const c = await keep(startPlaza(plaza.settings, profile))
  const recorded: Recorded[] = []
  for (const row of rows) recorded.push(await compareAnswers(row, world, b.url, c.url))
  await compareDatabases(minimal.db, plaza.db)
  const file = join(directory, 'answers.json')
  writeFileSync(file, JSON.stringify(recorded))
  const a = await keep(startProgram('bench/bare.ts', file))

  const measured: Measured[] = []
  for (const row of rows) {
    if (!json) process.stderr.write(`${row.name}...\n`)
    measured.push({ row, rounds: await measure(row, world, [a, b, c], setup) })
  }
  report(setup, measured, json)
}

/**
 * Measures the servers in each round and returns their rates, in the order of `servers`. Each round starts
 * with a different server.
 */
async function measure(
  row: Row,
  world: World,
  servers: [Server, Server, Server],
  { connections, seconds, rounds }: Setup,
): Promise<[Rate, Rate, Rate][]> {
  const warmUp = Math.min(2, seconds)
  for (const server of servers) await load(server, row, world, { connections, seconds: warmUp })
  const found: [Rate, Rate, Rate][] = []
  for (let round = 0; round < rounds; round++) {
    const rates: Rate[] = []
    for (let turn = 0; turn < 3; turn++) {
      const at = (round + turn) % 3
      rates[at] = await load(servers[at] as Server, row, world, { connections, seconds })
    }
    found.push(rates as [Rate, Rate, Rate])
  }
  return found
}

async function keep(starting: Promise<Server>): Promise<Server> {
  const server = await starting
  cleanups.push(() => server.stop())
  return server
}

function open(settings: { databaseUrl?: string; dataDir?: string }): Db {
  const db = openDatabase({ databaseUrl: undefined, dataDir: '', ...settings })
  cleanups.push(() => db.close())
  return db
}

async function makeSqlite(directory: string): Promise<Databases> {
  const [first, second] = ['plaza', 'minimal'].map((name) => join(directory, name)) as [
    string,
    string,
  ]
  const filling = openDatabase({ databaseUrl: undefined, dataDir: first })
  const world = await makeWorld(filling, SECRETS.TOKEN_SECRET)
  await filling.close()
  mkdirSync(second)
  const file = join(second, 'plaza.db')
  copyFileSync(join(first, 'plaza.db'), file)
  return {
    minimal: { address: file, db: open({ dataDir: second }) },
    plaza: { settings: { DATA_DIR: first }, db: open({ dataDir: first }) },
    world,
  }
}

async function makePostgres(directory: string): Promise<Databases> {
  const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
  const server = await startPrivatePostgres(durable)
  cleanups.push(() => server.stop())
  const [first, second] = ['plaza', 'minimal'].map((name) => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }) as [string, string]
  await onServer(server.url, 'create database plaza')
  const filling = openDatabase({ databaseUrl: first, dataDir: '' })
  const world = await makeWorld(filling, SECRETS.TOKEN_SECRET)
  await filling.close()
  await onServer(server.url, 'create database minimal template plaza')
  // Otherwise autovacuum would do this during the measurement.
  for (const url of [first, second]) await onServer(url, 'vacuum analyze')
  return {
    minimal: { address: second, db: open({ databaseUrl: second }) },
    plaza: {
      settings: { DATABASE_URL: first, DATA_DIR: directory },
      db: open({ databaseUrl: first }),
    },
    world,
  }
}

async function onServer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'sqlite' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      rows: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { engine, profile, json } = values
  const names = values.rows?.split(',')
  const rows = ROWS.filter(({ name }) => !names || names.includes(name))
  const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(
    Number,
  )
  const counts = [seconds, rounds, connections].every(
    (n) => Number.isSafeInteger(n) && Number(n) > 0,
  )
  const isEngine = engine === 'sqlite' || engine === 'postgres'
  if (values.help || !isEngine || !counts || rows.length !== (names ?? ROWS).length) {
    console.error(USAGE)
    process.exit(values.help ? 0 : 2)
  }
  const setup = { engine, seconds, rounds, connections } as Setup
  return { setup, rows, json, profile }
}
