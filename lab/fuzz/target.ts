import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startPrivatePostgres } from '../../scripts/postgres.ts'
import { updateUser } from '../../src/admin/rules.ts'
import { systemClock } from '../../src/clock.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { setAllShown } from '../../src/contents/visibility.ts'
import type { Db, ScriptRow } from '../../src/db/handle.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { Engine } from '../../src/db/statement.ts'
import type { Role } from '../../src/db/tables.ts'
import type { Deps } from '../../src/deps.ts'
import { Passwords } from '../../src/factors/passwords.ts'
import type { Viewer } from '../../src/http/auth.ts'
import { openSession } from '../../src/sessions/rules.ts'
import { findManagedUserByHandleLocked, updateMembership } from '../../src/users/managed.ts'
import { type Actor, type Anyone, anyone, makeActor } from '../../test/actors.ts'
import type { Serving } from '../../test/process.ts'
import { Harness } from '../harness/harness.ts'

/** A server with its database, and a receiver for its webhooks. */
export class Target {
  readonly engine: Engine
  readonly url: string
  readonly db: Db
  readonly hookUrl: string
  readonly #config: Config
  readonly #harness: Harness
  readonly #server: Serving
  readonly #passwords = new Passwords()
  readonly #said: number
  #steward: Promise<Actor> | undefined

  constructor(harness: Harness, server: Serving, db: Db, hookUrl: string) {
    this.engine = db.engine
    this.url = server.url
    this.db = db
    this.hookUrl = hookUrl
    this.#config = readConfig(harness.settings)
    this.#harness = harness
    this.#server = server
    this.#said = server.out().length
  }

  get isAlive(): boolean {
    const { exitCode, signalCode } = this.#server.child
    return exitCode === null && signalCode === null
  }

  /** Server output since the server became ready. The server logs only errors. */
  get log(): string {
    return this.#server.out().slice(this.#said)
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

  sql(text: string): Promise<ScriptRow[]> {
    return this.db.script((run) => run(text))
  }

  async number(query: string): Promise<number> {
    return Number((await this.sql(`select (${query}) as n`))[0]?.['n'])
  }

  async memory(): Promise<number> {
    const text = await readFile(`/proc/${this.#server.child.pid}/status`, 'utf8').catch(() => '')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024)
  }

  async close(): Promise<void> {
    if (this.isAlive) await this.#harness.stop(this.#server)
    await this.#harness.close()
    await this.#harness.postgres?.stop()
  }
}

export async function startTarget(engine: Engine): Promise<Target> {
  const postgres = engine === 'postgres' ? await startPrivatePostgres() : undefined
  const harness = await Harness.make(postgres)
  Object.assign(harness.settings, {
    CAPTCHA_COST: '100',
    // Nothing listens on this port, so mails stay in the outbox.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'plaza@example.test',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    WEBHOOK_RETRY_SCHEDULE: '1,3600',
  })
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  const server = await harness.serve()
  const db = openDatabase(readConfig(harness.settings))
  harness.atEnd(async () => {
    receiver.closeAllConnections()
    receiver.close()
    await db.close()
  })
  return new Target(harness, server, db, `http://127.0.0.1:${port}/hook`)
}
