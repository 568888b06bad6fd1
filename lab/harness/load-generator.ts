/**
 * Users that write continuously. Each user sends one request at a time. Each write has its own
 * Idempotency-Key, which its retries reuse.
 */
import { randomInt, randomUUID } from 'node:crypto'
import http from 'node:http'
import { once } from 'node:events'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Harness } from './harness.ts'
import { isToggle, Journal, type Write } from './journal.ts'
import { makeUsers } from './users.ts'

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
  headers: http.IncomingHttpHeaders
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface RunOptions {
  /**
   * False to stop a user whose write gets no response. By default users retry with the same Idempotency-Key until the
   * write is acknowledged. Writes with a temporary error are always retried.
   */
  isPersistent?: boolean
  /** Milliseconds until the users stop. By default they write until `stop`. */
  forMs?: number
  /** Number of writing users, by default all. */
  many?: number
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

export class LoadGenerator {
  readonly journal = new Journal()
  readonly users: User[]
  readonly contents: string[] = []
  readonly #harness: Harness
  #number = 0

  private constructor(harness: Harness, users: User[]) {
    this.#harness = harness
    this.users = users
  }

  static async gather(harness: Harness, count: number): Promise<LoadGenerator> {
    const made = await harness.withDatabase((db) => makeUsers(db, count))
    const users = made.map(({ user: { id, handle }, token }, turn) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      const rest = { conversation: '', liked: 0, bookmarked: 0, turn, open: undefined }
      return { id, handle, token, agent, ...rest }
    })
    harness.atEnd(() => users.forEach(({ agent }) => agent.destroy()))
    return new LoadGenerator(harness, users)
  }

  /** Opens the conversations and publishes the first contents. The server must be healthy. */
  async prepare(url: string): Promise<void> {
    for (const [i, user] of this.users.entries()) {
      const { id } = this.users[(i + 1) % this.users.length] as User
      const opened = await this.#ask(url, user, '/dm/conversations', { user_id: id })
      user.conversation = opened.json.data.conversation.id
      await this.#try(url, user, this.#make(user, 'publish'))
    }
  }

  /** Lets the users write to the server at `url`, or at the results of `url`. */
  start(url: string | (() => string), options: RunOptions = {}) {
    const { many = this.users.length, forMs = Number.POSITIVE_INFINITY } = options
    const stats: Stats = { refused: new Map(), unanswered: 0, broken: [], slowestMs: 0 }
    let end = Date.now() + forMs
    const next = typeof url === 'string' ? () => url : url
    const isOver = () => Date.now() > end
    const loops = this.users
      .slice(0, many)
      .map((user) => this.#loop(next, user, { options, isOver, stats }))
    const ended = Promise.all(loops).then(() => stats)
    const stop = () => {
      end = 0
      return ended
    }
    return { ended, stop }
  }

  /** Returns the milliseconds until `more` writes are acknowledged, at most `patienceMs`. */
  async recovery(more: number, patienceMs = PATIENCE_MS): Promise<number> {
    const start = Date.now()
    const enough = this.journal.acknowledged + more
    while (this.journal.acknowledged < enough && Date.now() - start < patienceMs) await sleep(5)
    return Date.now() - start
  }

  /** Compares all writes with the database, and all stored counts with their rows. No write may be in progress. */
  async check(): Promise<void> {
    await this.journal.verify(this.#harness)
    await this.#harness.recount()
  }

  /** Requires that no request failed with a status other than those `permitted`. */
  judge({ refused }: Pick<Stats, 'refused'>, ...permitted: number[]): void {
    for (const [status, times] of refused) {
      if (permitted.includes(status)) continue
      this.#harness.findings.broken.push(`${times} requests returned ${status}`)
    }
  }

  /** Requires that no connection broke, writes failed only with 503 or 409, and the server recovered in time. */
  judgeAbsence(stats: Stats, recoveryMs: number): void {
    const { broken, notes } = this.#harness.findings
    broken.push(...stats.broken.map((text) => `no response: ${text}`))
    this.judge(stats, 503, 409)
    this.#harness.judgeRecovery(recoveryMs)
    notes.push(
      `${stats.refused.get(503) ?? 0} responses with 503, slowest response after ${stats.slowestMs} ms`,
    )
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
          await this.#try(url, user, write).catch(() => {})
        }
      }),
    )
  }

  async #loop(
    url: () => string,
    user: User,
    { options, isOver, stats }: { options: RunOptions; isOver: () => boolean; stats: Stats },
  ): Promise<void> {
    const { isPersistent = true } = options
    while (!isOver() || (isPersistent && user.open)) {
      const write = user.open ?? this.#next(user)
      const started = Date.now()
      let status = 0
      try {
        status = await this.#try(url(), user, write, options)
      } catch (error) {
        stats.unanswered++
        const { code, syscall, message } = error as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED' && syscall !== 'connect')
          stats.broken.push(
            `${code ?? ''} ${message}, ${Date.now() - started} ms after it was sent`,
          )
        if (!isPersistent) return
      }
      stats.slowestMs = Math.max(stats.slowestMs, Date.now() - started)
      if (!user.open) continue
      if (status !== 0) stats.refused.set(status, (stats.refused.get(status) ?? 0) + 1)
      await sleep(20 + Math.random() * 80)
    }
  }

  /**
   * Sends a write and returns the status. Rejects when no complete response arrives. After a rejection or a temporary
   * error, the write stays in `user.open`. A permanent error, or 503 without Retry-After, is recorded as unexpected.
   */
  async #try(
    url: string,
    user: User,
    write: Write,
    { patienceMs, expires }: RunOptions = {},
  ): Promise<number> {
    user.open = write
    const { path, body, key, kind } = write
    const { status, json, headers } = await this.#ask(url, user, path, body, key, patienceMs)
    const data = json?.data
    if (status === 503 && !headers['retry-after'])
      this.journal.unexpected.push(`503 without Retry-After for ${kind}`)
    if (status >= 200 && status < 300) {
      if (isToggle(kind)) {
        const { is_liked, is_bookmarked, is_following } = data
        this.journal.acknowledge(write, { state: is_liked ?? is_bookmarked ?? is_following })
      } else {
        const { id } = (data.post ?? data.comment ?? data.message ?? data.content) as { id: string }
        this.journal.acknowledge(write, { id })
        if (kind === 'publish') this.contents.push(id)
      }
      user.open = undefined
    } else if (!RETRYABLE.has(status) && !(expires && status === 401)) {
      this.journal.unexpected.push(`${status} ${JSON.stringify(json?.error)} for ${kind}`)
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
    const { statusCode: status = 0, headers } = answer
    return { status, headers, json: await readJson(answer) }
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
    const key = randomUUID()
    const write: Write = { kind, actor: user.id, mark, key, path: '', isAcknowledged: false }
    if (isToggle(kind)) {
      write.mark =
        kind === 'like'
          ? (this.contents[user.liked++] as string)
          : kind === 'bookmark'
            ? (this.contents[user.bookmarked++] as string)
            : pick(this.users.filter((target) => target !== user)).handle
      write.path = `/${kind === 'follow' ? 'creators' : 'contents'}/${write.mark}/${kind}`
    } else if (kind === 'publish') {
      write.path = '/contents'
      write.body = { category: 'hype', type: 'article', title: mark, body: 'Words.' }
    } else {
      write.path = {
        comment: `/contents/${pick(this.contents)}/comments`,
        message: `/dm/conversations/${user.conversation}/messages`,
        post: '/posts',
      }[kind]
      write.body = { body: mark }
    }
    this.journal.intend(write)
    return write
  }
}

function pick<T>(list: readonly T[]): T {
  return list[randomInt(list.length)] as T
}
