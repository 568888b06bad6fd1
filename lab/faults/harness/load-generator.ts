/**
 * Users that write continuously. Each user sends one request at a time. Each write has its own
 * Idempotency-Key, which its retries reuse.
 */
import { randomInt, randomUUID } from 'node:crypto'
import http from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { addUser, newUser } from '../../../src/auth/rules.ts'
import { readConfig } from '../../../src/config.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openSession } from '../../../src/sessions/rules.ts'
import type { Findings } from './findings.ts'
import type { Harness } from './harness.ts'
import { isToggle, Journal, type Write } from './journal.ts'

interface User {
  id: string
  handle: string
  token: string
  agent: http.Agent
  conversation: string
  /** Index in `contents` of the next content to like. */
  liked: number
  /** Index in `contents` of the next content to bookmark. */
  bookmarked: number
  turn: number
  /** Write in progress: sent and not yet acknowledged. */
  open: Write | undefined
}

interface Reply {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface Charge {
  url(): string
  /**
   * Returns true to stop the users. Called before every write. With `isPersistent`, users first retry their open
   * writes until these are acknowledged.
   */
  isOver(): boolean
  /**
   * True to retry a write without a response, with the same Idempotency-Key. False to stop its user. Writes with a
   * temporary error are always retried.
   */
  isPersistent: boolean
  patienceMs?: number
  /** True when access tokens are expired during part of the run. Writes that return 401 are then retried. */
  expires?: boolean
}

export interface Stats {
  refused: Map<number, number>
  unanswered: number
  /** Errors of unanswered requests on established connections. */
  broken: string[]
  slowestMs: number
  /** Time of the last completed write in epoch milliseconds, at first the start of the run. */
  lastAt: number
  /** Longest time between two completed writes, including the time before the first and after the last one. */
  longestGapMs: number
}

const RETRYABLE = new Set([409, 503, 507])
const PATIENCE_MS = 30_000
const CYCLE: Write['kind'][] = [
  'like',
  'comment',
  'bookmark',
  'post',
  'like',
  'message',
  'publish',
  'bookmark',
  'follow',
  'like',
]

const RECOVERY_MS = 5000

/**
 * Requires that no established connection broke, writes failed only with 503 or 409, and the server recovered within
 * RECOVERY_MS. Adds violations to `findings.broken`, and the measured times to `findings.notes`.
 */
export function judgeAbsence(stats: Stats, recoveryMs: number, findings: Findings): void {
  if (recoveryMs > RECOVERY_MS) findings.broken.push(`recovered after ${recoveryMs} ms`)
  for (const text of stats.broken) findings.broken.push(`no response: ${text}`)
  for (const [status, times] of stats.refused) {
    if (status !== 503 && status !== 409)
      findings.broken.push(`${times} requests returned ${status}`)
  }
  findings.notes.push(
    `${stats.refused.get(503) ?? 0} responses with 503, slowest response after ${stats.slowestMs} ms`,
    `recovered after at most ${recoveryMs} ms`,
  )
}

export class LoadGenerator {
  readonly journal: Journal
  readonly users: User[]
  readonly contents: string[] = []
  #number = 0

  private constructor(users: User[], journal: Journal) {
    this.users = users
    this.journal = journal
  }

  static async gather(harness: Harness, count: number): Promise<LoadGenerator> {
    const config = readConfig({ ...harness.settings })
    const now = Date.now()
    const users = await harness.withDatabase(async (db) => {
      await migrate(db, Date.now)
      return db.transaction(async (tx) => {
        const made: User[] = []
        for (let i = 0; i < count; i++) {
          const handle = `crowd_${i}`
          const user = newUser(
            {
              handle,
              email: `${handle}@example.test`,
              display_name: handle,
              password_hash: 'none',
              role: 'user',
            },
            now,
          )
          await addUser(tx, user)
          const { access_token: token } = await openSession(
            tx,
            config,
            user.id,
            { ip: null, userAgent: null },
            now,
          )
          const rest = { conversation: '', liked: 0, bookmarked: 0, turn: i, open: undefined }
          const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
          made.push({ id: user.id, handle, token, agent, ...rest })
        }
        return made
      })
    })
    const load = new LoadGenerator(users, new Journal(join(harness.folder, 'journal')))
    harness.atEnd(() => load.close())
    return load
  }

  /** Opens the conversations and publishes the first contents. The server must be healthy. */
  async prepare(url: string): Promise<void> {
    for (const [i, user] of this.users.entries()) {
      const { id } = this.users[(i + 1) % this.users.length] as User
      const opened = await this.#ask(url, user, '/dm/conversations', { user_id: id })
      user.conversation = opened.json.data.conversation.id
      await this.#try(user, this.#make(user, 'publish'), { url: () => url })
    }
  }

  async write(charge: Charge, many = this.users.length): Promise<Stats> {
    const stats: Stats = {
      refused: new Map(),
      unanswered: 0,
      broken: [],
      slowestMs: 0,
      lastAt: Date.now(),
      longestGapMs: 0,
    }
    await Promise.all(this.users.slice(0, many).map((user) => this.#loop(user, charge, stats)))
    stats.longestGapMs = Math.max(stats.longestGapMs, Date.now() - stats.lastAt)
    return stats
  }

  async connect(url: string): Promise<void> {
    await Promise.all(
      this.users.map(async ({ agent }) => {
        const [answer] = await once(http.get(`${url}/api/health`, { agent }), 'response')
        await readJson(answer as http.IncomingMessage)
      }),
    )
  }

  /** Randomly abandons or retries each write that was open when the users stopped. */
  async resume(url: string): Promise<void> {
    await Promise.all(
      this.users.map(async (user) => {
        const write = user.open
        if (!write) return
        if (randomInt(2) === 0) {
          this.journal.abandon(write)
          user.open = undefined
          return
        }
        for (let i = 0; user.open && i < 50; i++) {
          if (i > 0) await sleep(100)
          await this.#try(user, write, { url: () => url }).catch(() => {})
        }
      }),
    )
  }

  close(): void {
    for (const { agent } of this.users) agent.destroy()
    this.journal.close()
  }

  async #loop(user: User, charge: Charge, stats: Stats): Promise<void> {
    while (!charge.isOver() || (charge.isPersistent && user.open)) {
      const write = user.open ?? this.#next(user)
      const started = Date.now()
      let status = 0
      try {
        status = await this.#try(user, write, charge)
      } catch (error) {
        stats.unanswered++
        const { code, syscall, message } = error as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED' && syscall !== 'connect')
          stats.broken.push(
            `${code ?? ''} ${message}, ${Date.now() - started} ms after it was sent`,
          )
        if (!charge.isPersistent) return
      }
      const ended = Date.now()
      stats.slowestMs = Math.max(stats.slowestMs, ended - started)
      if (!user.open) {
        stats.longestGapMs = Math.max(stats.longestGapMs, ended - stats.lastAt)
        stats.lastAt = ended
        continue
      }
      if (status !== 0) stats.refused.set(status, (stats.refused.get(status) ?? 0) + 1)
      await sleep(20 + Math.random() * 80)
    }
  }

  /**
   * Sends a write and returns the status. Rejects when no complete response arrives. After a rejection or a temporary
   * error, the write stays in `user.open`. A permanent error is recorded as unexpected.
   */
  async #try(
    user: User,
    write: Write,
    charge: Pick<Charge, 'url' | 'patienceMs' | 'expires'>,
  ): Promise<number> {
    user.open = write
    const { status, json } = await this.#ask(
      charge.url(),
      user,
      write.path,
      write.body,
      write.key,
      charge.patienceMs,
    )
    const data = json?.data
    if (status >= 200 && status < 300) {
      if (isToggle(write.kind)) {
        const { is_liked, is_bookmarked, is_following } = data
        this.journal.acknowledge(write, { state: is_liked ?? is_bookmarked ?? is_following })
      } else {
        const { id } = (data.post ?? data.comment ?? data.message ?? data.content) as { id: string }
        this.journal.acknowledge(write, { id })
        if (write.kind === 'publish') this.contents.push(id)
      }
      user.open = undefined
    } else if (!RETRYABLE.has(status) && !(charge.expires && status === 401)) {
      this.journal.unexpected.push(`${status} ${JSON.stringify(json?.error)} for ${write.kind}`)
      this.journal.abandon(write)
      user.open = undefined
    }
    return status
  }

  async #ask(
    url: string,
    { token, agent }: User,
    path: string,
    body?: Record<string, unknown>,
    key?: string,
    patienceMs = PATIENCE_MS,
  ): Promise<Reply> {
    const text = body ? JSON.stringify(body) : ''
    const request = http.request(`${url}/api/v1${path}`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key && { 'idempotency-key': key }),
        ...(body && { 'content-type': 'application/json' }),
        'content-length': Buffer.byteLength(text),
      },
      signal: AbortSignal.timeout(patienceMs),
    })
    request.end(text)
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    return { status: answer.statusCode ?? 0, json: await readJson(answer) }
  }

  #next(user: User): Write {
    const kind = CYCLE[user.turn++ % CYCLE.length] as Write['kind']
    const isOutOfContents =
      (kind === 'like' && user.liked >= this.contents.length) ||
      (kind === 'bookmark' && user.bookmarked >= this.contents.length)
    return this.#make(user, isOutOfContents ? 'publish' : kind)
  }

  #make(user: User, kind: Write['kind']): Write {
    const mark = `mark ${++this.#number}`
    const write: Write = {
      kind,
      actor: user.id,
      mark,
      key: randomUUID(),
      path: '',
      isAcknowledged: false,
    }
    if (kind === 'like') {
      write.mark = this.contents[user.liked++] as string
      write.path = `/contents/${write.mark}/like`
    } else if (kind === 'bookmark') {
      write.mark = this.contents[user.bookmarked++] as string
      write.path = `/contents/${write.mark}/bookmark`
    } else if (kind === 'follow') {
      const targets = this.users.filter((target) => target !== user)
      write.mark = (targets[randomInt(targets.length)] as User).handle
      write.path = `/creators/${write.mark}/follow`
    } else if (kind === 'comment') {
      write.path = `/contents/${this.contents[randomInt(this.contents.length)]}/comments`
      write.body = { body: mark }
    } else if (kind === 'message') {
      write.path = `/dm/conversations/${user.conversation}/messages`
      write.body = { body: mark }
    } else if (kind === 'post') {
      write.path = '/posts'
      write.body = { body: mark }
    } else {
      write.path = '/contents'
      write.body = { category: 'hype', type: 'article', title: mark, body: 'Words.' }
    }
    this.journal.intend(write)
    return write
  }
}
