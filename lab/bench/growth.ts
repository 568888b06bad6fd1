/**
 * Checks that response times do not grow with the data. Sends the same requests to two servers, of which one has a
 * hundred times the data. Compares the median response times.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Client } from 'undici'
import { startPrivatePostgres } from '../../scripts/postgres.ts'
import { openDatabase } from '../../src/db/open.ts'
import { PREFIX } from '../../src/http/route.ts'
import { GROWTH_ROWS, type GrowthRow, type Ids, idsOf } from './growth-rows.ts'
import { GROWTH, type Sizes, sizesOf } from './growth-words.ts'
import { enterWorld, type GrownWorld, growWorld } from './growth-world.ts'
import { median } from '../../bench/report.ts'
import { pin, SECRETS, type Server, startPlaza } from '../../bench/servers.ts'

const USAGE = `Usage: npm --prefix lab run bench -- growth [options]
  --engine sqlite|postgres   default sqlite
  --scale N                  size of the large database, default 1 (a million contents); the small one has 1 %
  --samples N                requests per row and database, default 200
  --rows TEXT                only rows whose name contains TEXT
  --search                   only rows of search, in databases with contents but a tenth of everything else
  --keep WHERE               folder (sqlite) or server URL (postgres) in which databases are kept and reused
  --json                     print JSON instead of a table`

/** Maximum ratio of the large database's median response time to the small one's. */
const TARGET = 1.3
const WARM_UP = 12

interface World extends GrownWorld {
  ids: Ids
  server: Server
  client: Client
}

type Settings = { DATA_DIR: string } | { DATABASE_URL: string; DATA_DIR: string }

export async function measureGrowth(args: string[]): Promise<void> {
  const { engine, scale, samples, rows, search, keep, json } = readOptions(args)
  const cleanups: (() => Promise<unknown> | void)[] = []
  const last = String(availableParallelism() - 1)
  try {
    const place = await placeOf(engine, keep, cleanups)
    const worlds: World[] = []
    for (const [name, share] of [
      ['small', scale / GROWTH],
      ['large', scale],
    ] as const) {
      const sizes = sizesOf(share, scale / GROWTH, search)
      const settings = await place(name, sizes)
      const db = openDatabase(
        'DATABASE_URL' in settings
          ? { databaseUrl: settings.DATABASE_URL, dataDir: '' }
          : { databaseUrl: undefined, dataDir: settings.DATA_DIR },
      )
      const world = await enterWorld(db, sizes, SECRETS.TOKEN_SECRET)
      await db.close()
      // Both servers share one processor, because two processors are rarely equally fast.
      pin('0')
      // Only a server with the web client serves the Atom feeds.
      const server = await startPlaza({ ...settings, WEB: 'on' }, undefined)
      pin(last)
      cleanups.push(() => server.stop())
      const client = new Client(server.url)
      cleanups.push(() => client.close())
      worlds.push({ ...world, ids: idsOf(sizes, world.games), server, client })
    }
    const measured: Measured[] = []
    for (const row of rows) {
      const found = await measure(row, worlds as [World, World], samples)
      measured.push(found)
      if (!json) console.log(lineOf(found))
    }
    conclude({ engine, scale, samples }, measured, json)
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

interface Measured {
  name: string
  small_ms: number
  large_ms: number
  ratio: number
  grows: string | null
  is_missed: boolean
}

/**
 * Measures a request on both servers and compares the ratio of the medians with the target. The servers alternate in
 * being first, so that other load on the machine affects both.
 */
async function measure(row: GrowthRow, worlds: [World, World], samples: number): Promise<Measured> {
  const times: [number[], number[]] = [[], []]
  for (let n = -WARM_UP; n < samples; n++) {
    for (const index of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const time = await ask(worlds[index], row, n + WARM_UP)
      if (n >= 0) times[index].push(time)
    }
  }
  const [small_ms, large_ms] = times.map(median) as [number, number]
  const ratio = large_ms / small_ms
  const grows = row.grows ?? null
  return { name: row.name, small_ms, large_ms, ratio, grows, is_missed: !grows && ratio > TARGET }
}

async function ask({ client, ids, tokens }: World, row: GrowthRow, n: number): Promise<number> {
  const path = `${row.isRoot ? '' : PREFIX}${row.path(ids, n)}`
  const start = performance.now()
  const { statusCode, body } = await client.request({
    path,
    method: row.method ?? 'GET',
    headers: {
      ...(row.as && { authorization: `Bearer ${tokens[row.as]}` }),
      ...(row.body && { 'content-type': 'application/json' }),
    },
    body: row.body ? JSON.stringify(row.body) : null,
  })
  const text = await body.text()
  const time = performance.now() - start
  if (statusCode >= 300) throw new Error(`${row.name}: ${path}: ${statusCode} ${text}`)
  return time
}

function lineOf({ name, small_ms, large_ms, ratio, grows, is_missed }: Measured): string {
  const figures = [`${small_ms.toFixed(2)} ms`, `${large_ms.toFixed(2)} ms`, ratio.toFixed(2)]
  const held = grows ?? `${TARGET.toFixed(1)}${is_missed ? '  MISSED' : ''}`
  return [name.padEnd(36), ...figures.map((figure) => figure.padStart(10)), `  ${held}`].join('')
}

function conclude(
  setup: { engine: string; scale: number; samples: number },
  rows: Measured[],
  json: boolean,
): void {
  if (json) return console.log(JSON.stringify({ ...setup, rows }, null, 2))
  const missed = rows.filter(({ is_missed }) => is_missed).length
  console.log(missed > 0 ? `\n${missed} rows above target` : '\nNo row above target')
}

async function placeOf(
  engine: 'sqlite' | 'postgres',
  keep: string | undefined,
  cleanups: (() => Promise<unknown> | void)[],
) {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-growth-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  if (engine === 'sqlite') {
    return async (name: string, sizes: Sizes): Promise<Settings> => {
      const DATA_DIR = join(keep ?? folder, name)
      const done = join(DATA_DIR, 'grown')
      if (!existsSync(done)) {
        rmSync(DATA_DIR, { recursive: true, force: true })
        mkdirSync(DATA_DIR, { recursive: true })
        chmodSync(DATA_DIR, 0o700)
        await fill({ databaseUrl: undefined, dataDir: DATA_DIR }, name, sizes)
        writeFileSync(done, '')
      }
      return { DATA_DIR }
    }
  }
  const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
  const room = { shared_buffers: '2GB', max_wal_size: '8GB' }
  const own = keep ? undefined : await startPrivatePostgres({ ...durable, ...room })
  if (own) cleanups.push(() => own.stop())
  return async (name: string, sizes: Sizes): Promise<Settings> => {
    const base = keep ?? own?.url ?? ''
    const url = new URL(base)
    url.pathname = `/plaza_growth_${name}`
    const names = await onServer(base, 'select datname from pg_database')
    if (!names.some(({ datname }) => datname === url.pathname.slice(1))) {
      const half = `${url.pathname.slice(1)}_half`
      await onServer(base, `drop database if exists ${half}`)
      await onServer(base, `create database ${half}`)
      const filling = new URL(url)
      filling.pathname = `/${half}`
      await fill({ databaseUrl: filling.href, dataDir: '' }, name, sizes)
      await onServer(base, `alter database ${half} rename to ${url.pathname.slice(1)}`)
    }
    return { DATABASE_URL: url.href, DATA_DIR: join(folder, name) }
  }
}

async function fill(
  settings: { databaseUrl: string | undefined; dataDir: string },
  name: string,
  sizes: Sizes,
): Promise<void> {
  const db = openDatabase(settings)
  const start = performance.now()
  await growWorld(db, sizes, (step) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    process.stderr.write(`${name}, ${seconds} s: ${step}\n`)
  })
  await db.close()
}

async function onServer(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      scale: { type: 'string', default: '1' },
      samples: { type: 'string', default: '200' },
      rows: { type: 'string', default: '' },
      search: { type: 'boolean', default: false },
      keep: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { engine, search, keep, json } = values
  const [scale, samples] = [Number(values.scale), Number(values.samples)]
  const rows = GROWTH_ROWS.filter(
    ({ name }) => name.includes(values.rows) && (!search || /^(search|suggestions)/.test(name)),
  )
  const isEngine = engine === 'sqlite' || engine === 'postgres'
  if (values.help || !isEngine || !(scale > 0) || !(samples > 0) || rows.length === 0) {
    console.error(USAGE)
    process.exit(values.help ? 0 : 2)
  }
  return { engine, scale, samples, rows, search, keep, json } as const
}
