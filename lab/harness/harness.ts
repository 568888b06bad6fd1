import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECRETS } from '../../bench/servers.ts'
import { createDatabase, onServer, type PrivatePostgres } from '../../scripts/postgres.ts'
import type { Db, ScriptRow } from '../../src/db/handle.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { Engine } from '../../src/db/statement.ts'
import { examineDatabase } from '../../src/doctor/examine.ts'
import { plaza, serve, type Serving } from '../../test/process.ts'

export const ENGINES: readonly Engine[] = ['sqlite', 'postgres']

export interface Findings {
  acknowledged: number
  lost: number
  duplicated: number
  /** Number of writes stored with values other than those sent or acknowledged, plus rows that no client wrote. */
  corrupt: number
  /** Sum of the differences between stored counts and counted rows. */
  drift: number
  broken: string[]
  notes: string[]
}

export function isSound({ lost, duplicated, corrupt, drift, broken }: Findings): boolean {
  return lost + duplicated + corrupt + drift + broken.length === 0
}

export function noFindings(): Findings {
  return { acknowledged: 0, lost: 0, duplicated: 0, corrupt: 0, drift: 0, broken: [], notes: [] }
}

const STOP_MS = 15_000
/** Milliseconds after which a server must have recovered from a fault. */
const RECOVERY_MS = 5000

let made = 0

/** One database, the servers on it, and what the checks of both found. */
export class Harness {
  readonly engine: Engine
  readonly folder: string
  readonly settings: Record<string, string>
  dataDir: string
  readonly databaseUrl: string | undefined
  readonly postgres: PrivatePostgres | undefined
  findings = noFindings()
  #servers = new Set<Serving>()
  /** Servers to which the harness has sent a signal. */
  #signalled = new Set<Serving>()
  #closing: (() => unknown)[] = []

  /** Without `databaseUrl`, the database is on SQLite. */
  constructor(
    databaseUrl?: string,
    postgres?: PrivatePostgres,
    folder = mkdtempSync(join(tmpdir(), 'plaza-lab-')),
  ) {
    this.engine = databaseUrl ? 'postgres' : 'sqlite'
    this.folder = folder
    this.dataDir = join(folder, 'data')
    this.postgres = postgres
    this.databaseUrl = databaseUrl
    this.settings = {
      DATA_DIR: this.dataDir,
      LOG_LEVEL: 'error',
      WEB: 'off',
      FFMPEG: 'off',
      CHROMIUM: 'off',
      CAPTCHA_COST: '10',
      RATE_LIMITS: 'off',
      ACCESS_TOKEN_TTL: '1000000',
      ...SECRETS,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }
  }

  /**
   * Creates a harness with an empty database on `postgres`, or on SQLite if `postgres` is undefined. `options` are added
   * to the `create database` statement.
   */
  static async make(postgres: PrivatePostgres | undefined, options = ''): Promise<Harness> {
    if (!postgres) return new Harness()
    const name = `lab_${process.pid}_${++made}`
    return new Harness(await createDatabase(postgres.url, name, options), postgres)
  }

  /** Starts a server, and resolves when the server is healthy. A server that exits by itself is a violation. */
  async serve(settings: Record<string, string> = {}): Promise<Serving> {
    const server = await serve({ ...this.settings, ...settings })
    this.#servers.add(server)
    void server.ended.then((code) => {
      this.#servers.delete(server)
      if (this.#signalled.has(server)) return
      const end = code ?? server.child.signalCode
      this.findings.broken.push(`a server exited with ${end}: ${server.out().slice(-500)}`)
    })
    return server
  }

  async kill(server: Serving): Promise<void> {
    this.#signal(server, 'SIGKILL')
    await server.ended
  }

  /** Stops a server with SIGTERM. It must exit with code 0 within 15 seconds. */
  async stop(server: Serving): Promise<void> {
    this.#signal(server, 'SIGTERM')
    const code = await Promise.race([server.ended, sleep(STOP_MS, 'nothing', { ref: false })])
    if (code !== 0) this.findings.broken.push(`the server ended with ${code} after SIGTERM`)
  }

  #signal(server: Serving, signal: NodeJS.Signals): void {
    this.#signalled.add(server)
    server.child.kill(signal)
  }

  plaza(args: string[], settings: Record<string, string> = {}) {
    return plaza(args, { ...this.settings, ...settings })
  }

  async withDatabase<T>(action: (db: Db) => Promise<T>): Promise<T> {
    const db = openDatabase({ dataDir: this.dataDir, databaseUrl: this.databaseUrl })
    try {
      return await action(db)
    } finally {
      await db.close()
    }
  }

  sql(text: string): Promise<ScriptRow[]> {
    return this.withDatabase((db) => db.script((run) => run(text)))
  }

  async number(query: string): Promise<number> {
    return Number((await this.sql(`select (${query}) as n`))[0]?.['n'])
  }

  async recount(): Promise<void> {
    const { drift, problems } = await this.withDatabase(recount)
    this.findings.drift += drift
    this.findings.broken.push(...problems)
  }

  async doctor(): Promise<void> {
    const { code, out } = await this.plaza(['doctor'])
    if (code !== 0) this.findings.broken.push(`plaza doctor: ${out.trim()}`)
  }

  /** Requires that a server recovered within RECOVERY_MS. */
  judgeRecovery(ms: number): void {
    if (ms > RECOVERY_MS) this.findings.broken.push(`recovered after ${ms} ms`)
    this.findings.notes.push(`recovered after at most ${ms} ms`)
  }

  atEnd(action: () => unknown): void {
    this.#closing.unshift(action)
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await this.kill(server)
    for (const action of this.#closing.splice(0)) await action()
    if (this.postgres && this.databaseUrl) {
      const name = new URL(this.databaseUrl).pathname.slice(1)
      await onServer(this.postgres.url, `drop database if exists ${name} with (force)`)
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Compares every stored count with its rows, and looks for damage. */
export async function recount(db: Db): Promise<{ drift: number; problems: string[] }> {
  const { counts, damage } = await examineDatabase(db)
  const drifted = counts.filter(({ drift }) => drift !== 0)
  return {
    drift: drifted.reduce((sum, { drift }) => sum + drift, 0),
    problems: [
      ...drifted.map(({ name, drift, example }) => `${name}: ${drift} drifted, such as ${example}`),
      ...damage.map((text) => `damaged: ${text}`),
    ],
  }
}

/** Resolves with the first result of `find` that is neither undefined nor false. Rejects after `patienceMs`. */
export async function until<T>(
  find: () => T | Promise<T>,
  patienceMs: number,
  complaint: string | (() => string),
): Promise<Exclude<T, undefined | false>> {
  for (const start = Date.now(); ; await sleep(50)) {
    const found = await find()
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>
    if (Date.now() - start < patienceMs) continue
    const text = typeof complaint === 'string' ? complaint : complaint()
    throw new Error(`${text} (${patienceMs / 1000} s)`)
  }
}
