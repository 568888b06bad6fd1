/**
 * Checks that response times do not grow with the data. Sends the same requests to two servers, of which one has a
 * hundred times the data. Compares the median response times.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'undici'
import { createDatabase, DURABLE, onServer, startPrivatePostgres } from '../../scripts/postgres.ts'
import { openDatabase } from '../../src/db/open.ts'
import { PREFIX } from '../../src/http/route.ts'
import { GROWTH_ROWS, type GrowthRow, type Ids, idsOf } from './growth-rows.ts'
import { GROWTH, type Sizes, sizesOf } from './growth-words.ts'
import { enterWorld, type GrownWorld, growWorld } from './growth-world.ts'
import { alternate, mediansOf } from './compare.ts'
import { pin, startPlaza } from '../../bench/servers.ts'

const USAGE = `Usage: npm --prefix lab run bench -- growth [options]
  --engine sqlite|postgres   default sqlite
  --scale N                  size of the large database, default 1 (a million contents); the small one has 1 %
  --samples N                requests per row and database, default 200
  --rows TEXT                only rows whose name contains TEXT
  --search                   only rows of search, in databases with contents but a tenth of everything else
  --keep WHERE               folder (sqlite) or server URL (postgres) in which databases are kept and reused`

/** Maximum ratio of the large database's median response time to the small one's. */
const TARGET = 1.3
const WARM_UP = 12

interface World extends GrownWorld {
  ids: Ids
  client: Client
}

interface Place {
  dataDir: string
  databaseUrl: string | undefined
}
type Cleanups = (() => Promise<unknown> | void)[]

export async function measureGrowth(args: string[]): Promise<void> {
  const { engine, scale, samples, rows, search, keep } = readOptions(args)
  const cleanups: Cleanups = []
  const last = String(availableParallelism() - 1)
  try {
    const place = await placeOf(engine, keep, cleanups)
    const worlds: World[] = []
    for (const [name, share] of [
      ['small', scale / GROWTH],
      ['large', scale],
    ] as const) {
      const sizes = sizesOf(share, scale / GROWTH, search)
      const { dataDir, databaseUrl } = await place(name, sizes)
      const db = openDatabase({ dataDir, databaseUrl })
      const world = await enterWorld(db)
      await db.close()
      // Both servers share one processor, because two processors are rarely equally fast.
      pin('0')
      // Only a server with the web client serves the Atom feeds.
      const database = databaseUrl && { DATABASE_URL: databaseUrl }
      const server = await startPlaza({ DATA_DIR: dataDir, WEB: 'on', ...database })
      pin(last)
      cleanups.push(() => server.stop())
      const client = new Client(server.url)
      cleanups.push(() => client.close())
      worlds.push({ ...world, ids: idsOf(sizes, world.games), client })
    }
    let missed = 0
    for (const row of rows) if (await measure(row, worlds as [World, World], samples)) missed++
    console.log(missed > 0 ? `\n${missed} rows above target` : '\nNo row above target')
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

/** Measures a request on both servers and prints the medians. Returns true when their ratio exceeds the target. */
async function measure(row: GrowthRow, worlds: [World, World], samples: number): Promise<boolean> {
  await alternate(WARM_UP, (index, round) => ask(worlds[index], row, round))
  const times = await alternate(samples, (index, round) => ask(worlds[index], row, round + WARM_UP))
  const { first, second } = mediansOf(times)
  const ratio = second / first
  const isMissed = !row.grows && ratio > TARGET
  const figures = [`${first.toFixed(2)} ms`, `${second.toFixed(2)} ms`, ratio.toFixed(2)]
  const held = row.grows ?? `${TARGET.toFixed(1)}${isMissed ? '  MISSED' : ''}`
  console.log(row.name.padEnd(36) + figures.map((text) => text.padStart(10)).join('') + `  ${held}`)
  return isMissed
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

/** Returns a function that fills a database of the given sizes, or finds the kept one. */
async function placeOf(
  engine: 'sqlite' | 'postgres',
  keep: string | undefined,
  cleanups: Cleanups,
): Promise<(name: string, sizes: Sizes) => Promise<Place>> {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-growth-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  if (engine === 'sqlite') {
    return async (name, sizes) => {
      const place = { dataDir: join(keep ?? folder, name), databaseUrl: undefined }
      const done = join(place.dataDir, 'grown')
      if (existsSync(done)) return place
      rmSync(place.dataDir, { recursive: true, force: true })
      mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
      await fill(place, name, sizes)
      writeFileSync(done, '')
      return place
    }
  }
  const room = { shared_buffers: '2GB', max_wal_size: '8GB' }
  const own = keep ? undefined : await startPrivatePostgres({ ...DURABLE, ...room })
  if (own) cleanups.push(() => own.stop())
  const base = keep ?? own?.url ?? ''
  return async (name, sizes) => {
    const database = `plaza_growth_${name}`
    const url = new URL(base)
    url.pathname = `/${database}`
    const place = { dataDir: join(folder, name), databaseUrl: url.href }
    const names = await onServer(base, 'select datname from pg_database')
    if (names.some(({ datname }) => datname === database)) return place
    const half = `${database}_half`
    await onServer(base, `drop database if exists ${half}`)
    await fill({ dataDir: '', databaseUrl: await createDatabase(base, half) }, name, sizes)
    await onServer(base, `alter database ${half} rename to ${database}`)
    return place
  }
}

async function fill(place: Place, name: string, sizes: Sizes): Promise<void> {
  const db = openDatabase(place)
  const start = performance.now()
  await growWorld(db, sizes, (step) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    process.stderr.write(`${name}, ${seconds} s: ${step}\n`)
  })
  await db.close()
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
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { engine, search, keep } = values
  const [scale, samples] = [Number(values.scale), Number(values.samples)]
  const rows = GROWTH_ROWS.filter(
    ({ name }) => name.includes(values.rows) && (!search || /^(search|suggestions)/.test(name)),
  )
  const isEngine = engine === 'sqlite' || engine === 'postgres'
  if (values.help || !isEngine || !(scale > 0) || !(samples > 0) || rows.length === 0) {
    console.error(USAGE)
    process.exit(values.help ? 0 : 2)
  }
  return { engine, scale, samples, rows, search, keep } as const
}
