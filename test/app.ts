import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { DestinationStream } from 'pino'
import { createDatabase, onServer } from '../scripts/postgres.ts'
import type { Clock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import type { Db } from '../src/db/handle.ts'
import type { Deps } from '../src/deps.ts'
import { examineDatabase } from '../src/doctor/examine.ts'
import { createLog } from '../src/log.ts'
import { startServer } from '../src/server.ts'
import { openSite } from '../src/web/site.ts'
import { type Actor, type Anyone, anyone, type Answer, type Loose, makeActor } from './actors.ts'

export type { Actor, Answer, Anyone, Loose }

export class TestClock implements Clock {
  #passed = 0
  #jumped = 0
  now(): number {
    return Date.now() + this.#passed + this.#jumped
  }
  monotonic(): number {
    return performance.now() + this.#passed
  }
  /** Advances both the wall clock and the monotonic clock. */
  advance(ms: number): void {
    this.#passed += ms
  }
  /** Moves the wall clock forward or backward. The monotonic clock does not change. */
  jump(ms: number): void {
    this.#jumped += ms
  }
}

export interface TestApp {
  url: string
  db: Db
  deps: Deps
  clock: TestClock
  anon: Anyone
  user(overrides?: { handle?: string; display_name?: string }): Promise<Actor>
  admin(): Promise<Actor>
  sibling(): Promise<TestApp>
  sql(text: string): Promise<Record<string, unknown>[]>
  /** Runs a query and returns the first column of the first row. */
  value(text: string): Promise<unknown>
  /** Returns the number of rows of `from`, a table that conditions or joins may follow. */
  count(from: string): Promise<number>
  /** Returns the stored counts that differ from the number of rows that they count. */
  drifted(): Promise<unknown[]>
  close(): Promise<void>
}

export const ENGINE = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

const SECRETS = {
  TOKEN_SECRET: 'test-token-secret-test-token-secret',
  ENCRYPTION_KEY: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  CAPTCHA_SECRET: 'test-captcha-secret-test-captcha-secret',
}

/**
 * Starts a server on a free port with its own database. TEST_ENGINE selects the engine. After the tests of this file,
 * the server stops and its data is deleted. Call it at the top level of the file, not in a hook. The server serves the
 * built web client only if `servesClient` is true.
 */
export async function startApp(
  env: Record<string, string> = {},
  { servesClient = false, log: logTo }: { servesClient?: boolean; log?: DestinationStream } = {},
): Promise<TestApp> {
  const open: TestApp[] = []
  const closeAll = async () => {
    while (open.length > 0) await open[0]?.close()
  }
  const place = await newPlace(closeAll, { template: process.env['TEST_TEMPLATE'] })
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    CAPTCHA_COST: '10',
    // Tests send more requests than the rate limits allow. Tests of the rate limits override this setting.
    RATE_LIMITS: 'off',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    // Optional programs are off, so that unrelated tests behave the same on every machine.
    FFMPEG: 'off',
    CHROMIUM: 'off',
    // The webhook receivers of the tests listen on loopback.
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ...SECRETS,
    ...settingsOf(place),
    ...env,
  }
  const clock = new TestClock()
  const start = async (): Promise<TestApp> => {
    const config = readConfig(settings)
    const log = createLog(config.logLevel, logTo)
    const web = servesClient ? openSite(log) : undefined
    const server = await startServer(config, { log, clock, site: web?.site })
    await web?.ready
    const app: TestApp = {
      url: server.localUrl,
      db: server.deps.db,
      deps: server.deps,
      clock,
      anon: anyone(server.localUrl),
      user: (overrides) => makeActor(server.localUrl, server.deps, clock, 'user', overrides),
      admin: () => makeActor(server.localUrl, server.deps, clock, 'admin'),
      sibling: start,
      sql: async (text) => {
        let rows: Record<string, unknown>[] = []
        await server.deps.db.script(async (run) => {
          rows = await run(text)
        })
        return rows
      },
      value: async (text) => Object.values((await app.sql(text))[0] ?? {})[0],
      count: async (from) => Number(await app.value(`select count(*) from ${from}`)),
      drifted: async () =>
        (await examineDatabase(server.deps.db)).counts.filter(({ drift }) => drift !== 0),
      close: async () => {
        if (!open.includes(app)) return
        open.splice(open.indexOf(app), 1)
        await Promise.all([web?.close(), server.close()])
      },
    }
    open.push(app)
    return app
  }
  return start()
}

export function testSecrets(): Record<string, string> {
  return { ...SECRETS }
}

/** The data folder of a server and, on PostgreSQL, its database. */
export interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

/**
 * Returns an empty folder and, on PostgreSQL, a new database. After the current test or the tests of this file, `close`
 * runs, and then both are deleted.
 */
export async function newPlace(
  close?: () => unknown,
  { engine = ENGINE, template }: { engine?: string; template?: string | undefined } = {},
): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plaza-test-'))
  const databaseUrl = engine === 'postgres' ? await newDatabase(template) : undefined
  after(async () => {
    await close?.()
    rmSync(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropDatabase(databaseUrl)
  })
  return { dataDir, databaseUrl }
}

/** Returns a place as `newPlace` does, except that its data folder does not exist yet. */
export async function newPlaceWithoutFolder(
  ...options: Parameters<typeof newPlace>
): Promise<Place> {
  const place = await newPlace(...options)
  return { ...place, dataDir: join(place.dataDir, 'data') }
}

/** Returns the settings of a server at this place. Without PostgreSQL, the server creates its own secrets. */
export function settingsOf({ dataDir, databaseUrl }: Place): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl, ...testSecrets() }),
  }
}

let made = 0

/**
 * Creates a PostgreSQL database as a copy of `template` and returns its URL. Returns undefined on SQLite. The template
 * must have no open connections. The default template is empty.
 */
export async function newDatabase(template = 'template1'): Promise<string | undefined> {
  const base = process.env['TEST_DATABASE_URL']
  if (ENGINE !== 'postgres') return undefined
  if (!base) throw new Error('TEST_ENGINE=postgres needs TEST_DATABASE_URL')
  const name = `plaza_test_${process.pid}_${++made}`
  return createDatabase(base, name, `template ${template}`)
}

export async function dropDatabase(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await onServer(
    process.env['TEST_DATABASE_URL'] as string,
    `drop database if exists ${name} with (force)`,
  )
}
