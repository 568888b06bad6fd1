/**
 * Users that write continuously to several servers. A journal records all requests and acknowledgements.
 * Each action except a like creates a unique row.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Anyone, anyone } from '../../test/actors.ts'
import { register } from '../../test/captcha.ts'
import { dataOf } from '../../test/make.ts'

export type Kind = 'comments' | 'messages' | 'posts'

interface Act {
  kind: Kind
  body: string
  isAcknowledged: boolean
}

export interface Like {
  contentId: string
  userId: string
  /** State after the last acknowledged like or unlike. Undefined while a like or unlike is in progress. */
  isLiked: boolean | undefined
}

export interface Journal {
  acts: Act[]
  likes: Map<string, Like>
  acknowledgedLikes: number
}

export interface Responses {
  /** Number of responses by status. `none` counts connections that ended without a response. */
  statuses: Map<string, number>
  slowestMs: number
  faults: string[]
  /** Start of the recovery measurement in epoch milliseconds. */
  watchFrom: number
  /** Time in epoch milliseconds of the first successful response to a request sent after `watchFrom`. */
  firstSuccess: number | undefined
}

export interface Writers {
  journal: Journal
  responses: Responses
  resetResponses(): void
  pause(): Promise<void>
  resume(): void
}

interface User {
  id: string
  /** Sends a request to the next server in rotation. Returns undefined when there is no response. */
  ask(method: string, path: string, json?: unknown, key?: string): Promise<Answer | undefined>
}

/** Milliseconds between attempts. Real clients wait longer, as Retry-After requires. */
const RETRY_MS = 100
/** Client timeout in milliseconds, longer than any allowed response time. */
const PATIENCE_MS = 30_000
const CONTENTS = 8

const newResponses = (): Responses => ({
  statuses: new Map(),
  slowestMs: 0,
  faults: [],
  watchFrom: Number.POSITIVE_INFINITY,
  firstSuccess: undefined,
})

/** Registers users and prepares their contents and conversations. The users start to write after `resume`. */
export async function startWriters(servers: string[], count: number): Promise<Writers> {
  const writers = {
    journal: { acts: [], likes: new Map(), acknowledgedLikes: 0 } as Journal,
    responses: newResponses(),
    resetResponses: () => void (writers.responses = newResponses()),
  }
  const users: User[] = []
  for (let i = 0; i < count; i++) {
    users.push(await join(servers, `writer_${i}`, () => writers.responses))
  }
  const [star] = users as [User]
  const contents: string[] = []
  for (let i = 0; i < CONTENTS; i++) {
    const body = { category: 'hype', type: 'article', title: `Work ${i}`, body: 'Like me.' }
    const answer = (await star.ask('POST', '/contents', body)) as Answer
    contents.push(dataOf(answer, 201).content.id)
  }
  const conversations: string[] = []
  for (const [i, user] of users.entries()) {
    const peer = users[(i + 1) % users.length] as User
    const answer = await user.ask('POST', '/dm/conversations', { user_id: peer.id })
    conversations.push(dataOf(answer as Answer, 201).conversation.id)
  }

  let going: Promise<unknown> = Promise.resolve()
  let isPaused = true
  const write = async (user: User, i: number) => {
    for (let turn = 0; !isPaused; turn++) {
      const content = contents[turn % CONTENTS] as string
      await act(user, `${i}`, turn % 4, { content, conversation: conversations[i] as string })
    }
  }
  const act = async (
    user: User,
    name: string,
    what: number,
    { content, conversation }: { content: string; conversation: string },
  ) => {
    const { journal } = writers
    if (what === 0) {
      const like = journal.likes.get(`${content} ${user.id}`)
      await toggle(user, like ?? { contentId: content, userId: user.id, isLiked: false }, journal)
      return
    }
    const kind = (['comments', 'messages', 'posts'] as const)[what - 1] as Kind
    const made: Act = { kind, body: `${name}-${randomUUID()}`, isAcknowledged: false }
    journal.acts.push(made)
    const send = () => {
      const { body } = made
      if (kind === 'posts') return user.ask('POST', '/posts', { body })
      if (kind === 'comments')
        return user.ask('POST', `/contents/${content}/comments`, { body }, body)
      const message = { body, client_message_id: body }
      return user.ask('POST', `/dm/conversations/${conversation}/messages`, message)
    }
    // Comments and messages have an idempotency key, so they are retried until they are acknowledged. Posts have no key
    // and are sent once.
    do made.isAcknowledged = (await send())?.status === 201
    while (kind !== 'posts' && !made.isAcknowledged && (await sleep(RETRY_MS, true)))
    if (!made.isAcknowledged) await sleep(RETRY_MS)
  }
  return Object.assign(writers, {
    async pause() {
      isPaused = true
      await going
    },
    resume() {
      isPaused = false
      going = Promise.all(users.map(write))
    },
  })
}

async function toggle(user: User, like: Like, journal: Journal): Promise<void> {
  const wanted = !like.isLiked
  like.isLiked = undefined
  journal.likes.set(`${like.contentId} ${like.userId}`, like)
  const path = `/contents/${like.contentId}/like`
  while ((await user.ask(wanted ? 'PUT' : 'DELETE', path))?.status !== 200) await sleep(RETRY_MS)
  like.isLiked = wanted
  journal.acknowledgedLikes++
}

async function join(servers: string[], handle: string, responses: () => Responses): Promise<User> {
  const anon = anyone(servers[0] as string)
  const { user, tokens } = await register(anon, handle)
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const doors = servers.map((url) => anyone(url, headers))
  let turn = 0
  return {
    id: user.id,
    async ask(method, path, json, key) {
      const door = doors[turn++ % doors.length] as Anyone
      const start = Date.now()
      const answer = await inTime(
        door.request(method, path, json, { headers: key ? { 'idempotency-key': key } : {} }),
      )
      note(responses(), answer, start, `${method} ${path}`)
      return answer
    },
  }
}

function inTime(asking: Promise<Answer>): Promise<Answer | undefined> {
  const late = sleep(PATIENCE_MS, undefined, { ref: false })
  return Promise.race([asking.catch(() => undefined), late])
}

function note(responses: Responses, answer: Answer | undefined, start: number, what: string): void {
  const status = String(answer?.status ?? 'none')
  responses.statuses.set(status, (responses.statuses.get(status) ?? 0) + 1)
  responses.slowestMs = Math.max(responses.slowestMs, Date.now() - start)
  const isSuccess = answer !== undefined && answer.status < 300
  const isUnavailable = answer?.status === 503 && answer.error?.code === 'SERVICE_UNAVAILABLE'
  if (isSuccess && start >= responses.watchFrom) responses.firstSuccess ??= Date.now()
  if (isUnavailable && !answer.headers.has('retry-after'))
    responses.faults.push(`${what}: no Retry-After`)
  if (!isSuccess && !isUnavailable)
    responses.faults.push(`${what}: ${status} ${answer?.text ?? ''}`)
}
