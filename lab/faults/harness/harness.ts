import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db, ScriptRow } from '../../../src/db/handle.ts'
import { openDatabase } from '../../../src/db/open.ts'
import type { Engine } from '../../../src/db/statement.ts'
import { examineDatabase } from '../../../src/doctor/examine.ts'
import { plaza, serve, type Serving } from '../../../test/process.ts'
import type { Findings } from './findings.ts'
import type { PostgresServer } from './postgres.ts'

const SECRETS = {
  TOKEN_SECRET: 'a secret of the faults that is long enough',
  ENCRYPTION_KEY: 'f0'.repeat(32),
  CAPTCHA_SECRET: 'another secret of the faults, long enough',
}

let made = 0

export class Harness {
  readonly engine: Engine
  readonly folder = mkdtempSync(join(tmpdir(), 'plaza-faults-'))
  dataDir: string
  readonly databaseUrl: string | undefined
  readonly postgres: PostgresServer | undefined
  readonly settings: Record<string, string>
  #servers = new Set<Serving>()
  #closing: (() => unknown)[] = []

  private constructor(postgres: PostgresServer | undefined, databaseUrl: string | undefined) {
    this.engine = postgres ? 'postgres' : 'sqlite'
    this.postgres = postgres
    this.databaseUrl = databaseUrl
    this.dataDir = join(this.folder, 'data')
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
  static async make(postgres: PostgresServer | undefined, options = ''): Promise<Harness> {
    if (!postgres) return new Harness(undefined, undefined)
    const name = `faults_${process.pid}_${++made}`
    await postgres.sql(`create database ${name} ${options}`)
    return new Harness(postgres, postgres.url.replace(/postgres$/, name))
  }

  /** Starts a server, and resolves when the server is healthy. `close` of the result kills the server. */
  async serve(settings: Record<string, string> = {}): Promise<Serving> {
    const server = await serve({ ...this.settings, ...settings })
    this.#servers.add(server)
    void server.ended.then(() => this.#servers.delete(server))
    return server
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

  async sql(text: string): Promise<ScriptRow[]> {
    let rows: ScriptRow[] = []
    await this.withDatabase((db) =>
      db.script(async (run) => {
        rows = await run(text)
      }),
    )
    return rows
  }

  async recount(findings: Findings): Promise<void> {
    const { counts, damage } = await this.withDatabase(examineDatabase)
    for (const { name, drift, example } of counts) {
      if (drift === 0) continue
      findings.drift += drift
      findings.broken.push(`${name}: ${drift} drifted, such as ${example}`)
    }
    findings.broken.push(...damage.map((text) => `damaged: ${text}`))
  }

  async doctor(findings: Findings): Promise<void> {
    const { code, out } = await this.plaza(['doctor'])
    if (code !== 0) findings.broken.push(`plaza doctor: ${out.trim()}`)
  }

  atEnd(action: () => unknown): void {
    this.#closing.unshift(action)
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.#servers) {
      child.kill('SIGKILL')
      await ended
    }
    const closing = this.#closing.splice(0)
    for (const action of closing) await action()
    if (this.postgres && this.databaseUrl) {
      const name = new URL(this.databaseUrl).pathname.slice(1)
      await this.postgres.sql(`drop database if exists ${name} with (force)`)
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function mountSmall(harness: Harness, folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  harness.atEnd(() => execFileSync('umount', ['--lazy', folder]))
}
