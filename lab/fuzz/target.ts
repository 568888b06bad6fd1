import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPrivatePostgres } from '../../scripts/postgres.ts'
import { updateUser } from '../../src/admin/rules.ts'
import { Passwords } from '../../src/factors/passwords.ts'
import { systemClock } from '../../src/clock.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { setAllShown } from '../../src/contents/visibility.ts'
import type { Db, ScriptRow } from '../../src/db/handle.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { Role } from '../../src/db/tables.ts'
import type { Deps } from '../../src/deps.ts'
import type { Viewer } from '../../src/http/auth.ts'
import { openSession } from '../../src/sessions/rules.ts'
import { findManagedUserByHandleLocked, updateMembership } from '../../src/users/managed.ts'
import { type Actor, type Anyone, anyone, makeActor } from '../../test/actors.ts'
import { serve } from '../../test/process.ts'

export type Engine = 'sqlite' | 'postgres'

const SECRETS = {
  TOKEN_SECRET: 'fuzz-token-secret-fuzz-token-secret',
  ENCRYPTION_KEY: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  CAPTCHA_SECRET: 'fuzz-captcha-secret-fuzz-captcha-secret',
}

export class Target {
  readonly engine: Engine
  readonly url: string
  readonly db: Db
  readonly hookUrl: string
  readonly child: ChildProcess
  readonly #config: Config
  readonly #passwords = new Passwords()
  readonly #closers: (() => unknown)[]
  readonly #out: () => string
  readonly #said: number
  #steward: Promise<Actor> | undefined

  constructor(parts: {
    engine: Engine
    url: string
    db: Db
    hookUrl: string
    child: ChildProcess
    config: Config
    closers: (() => unknown)[]
    out: () => string
  }) {
    this.engine = parts.engine
    this.url = parts.url
    this.db = parts.db
    this.hookUrl = parts.hookUrl
    this.child = parts.child
    this.#config = parts.config
    this.#closers = parts.closers
    this.#out = parts.out
    this.#said = parts.out().length
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Server output since the server became ready. The server logs only errors. */
  get log(): string {
    return this.#out().slice(this.#said)
  }

  user(role: Role, handle: string): Promise<Actor> {
    const deps = { db: this.db, passwords: this.#passwords, config: this.#config } as Deps
    return makeActor(this.url, deps, systemClock, role, { handle })
  }

  /**
   * Sets a user's role and suspension as the administrator `steward`. First restores `steward`, because generated
   * requests may have demoted or suspended this account.
   */
  async setMembership(id: string, role: Role, isSuspended: boolean): Promise<void> {
    this.#steward ??= this.user('admin', 'steward')
    const { id: steward, handle } = await this.#steward
    await this.db.transaction(async (tx) => {
      const user = await findManagedUserByHandleLocked(tx, handle)
      if (!user) throw new Error('the steward account is missing')
      const unsuspended = { is_suspended: 0, suspended_at: null, suspension_reason: null } as const
      await updateMembership(tx, { ...user, role: 'admin', ...unsuspended })
      if (user.is_suspended) await setAllShown(tx, steward, true, Date.now())
    })
    const viewer: Viewer = {
      id: steward,
      handle,
      role: 'admin',
      tier: 'regular',
      permissions: [],
      isVerified: true,
    }
    const origin = { now: Date.now(), requestId: randomUUID() }
    await updateUser(this.db, viewer, id, { role, is_suspended: isSuspended }, origin)
  }

  async session(userId: string): Promise<string> {
    const client = { ip: '127.0.0.1', userAgent: 'fuzz' }
    const { access_token } = await this.db.transaction((tx) =>
      openSession(tx, this.#config, userId, client, Date.now()),
    )
    return access_token
  }

  caller(token: string): Anyone {
    return anyone(this.url, { authorization: `Bearer ${token}` })
  }

  async sql(text: string): Promise<ScriptRow[]> {
    let rows: ScriptRow[] = []
    await this.db.script(async (run) => {
      rows = await run(text)
    })
    return rows
  }

  async memory(): Promise<number> {
    const text = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => '')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024)
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close()
  }
}

export async function startTarget(engine: Engine): Promise<Target> {
  const closers: (() => unknown)[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'plaza-fuzz-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  let databaseUrl: string | undefined
  if (engine === 'postgres') {
    const server = await startPrivatePostgres()
    closers.push(() => server.stop())
    databaseUrl = await createDatabase(server.url)
  }
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  closers.push(() => stop(receiver))
  const settings = {
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    CAPTCHA_COST: '100',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    // Nothing listens on this port, so mails stay in the outbox.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'plaza@example.test',
    WEB: 'off',
    FFMPEG: 'off',
    CHROMIUM: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    WEBHOOK_RETRY_SCHEDULE: '1,3600',
    ...SECRETS,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const serving = await serve(settings)
  closers.push(async () => {
    serving.child.kill('SIGTERM')
    await serving.ended
  })
  const config = readConfig(settings)
  const db = openDatabase(config)
  closers.push(() => db.close())
  const { port } = receiver.address() as AddressInfo
  return new Target({
    engine,
    url: serving.url,
    db,
    hookUrl: `http://127.0.0.1:${port}/hook`,
    child: serving.child,
    config,
    closers,
    out: serving.out,
  })
}

async function createDatabase(base: string): Promise<string> {
  const client = new pg.Client({ connectionString: base })
  await client.connect()
  await client.query('create database plaza_fuzz')
  await client.end()
  return base.replace(/\/postgres$/, '/plaza_fuzz')
}

function stop(server: Server): void {
  server.closeAllConnections()
  server.close()
}
