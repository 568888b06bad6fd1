/**
 * Server that a developer would write by hand for these routes only, with Fastify, SQL and JSON.stringify. It
 * checks the session, makes the same database changes as Plaza with the same durability, and sends the same
 * bytes and headers. It does not validate input.
 */
import { hash, randomUUIDv7 } from 'node:crypto'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { reads, writes } from './minimal-handlers.ts'
import { postgresHandlers } from './minimal-postgres.ts'
import type { KeyHolder, NewContent, Request } from './minimal-rows.ts'
import { sqliteHandlers } from './minimal-sqlite.ts'

const [database = '', port = '0'] = process.argv.slice(2)
const isPostgres = database.startsWith('postgres:')
const app = Fastify({ genReqId: () => randomUUIDv7() })

/** Sends a JSON response. `shared` is its Cache-Control value for anonymous clients. */
function send(
  reply: FastifyReply,
  status: number,
  data: unknown,
  shared: string | undefined,
): FastifyReply {
  const now = Date.now()
  const { id } = reply.request
  const json = JSON.stringify(data)
  reply.code(status).headers({
    'x-api-version': 'v1',
    'x-request-id': id,
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '999',
    'x-ratelimit-reset': String((Math.floor(now / 60_000) + 1) * 60),
    'content-language': 'ko',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    vary: 'Accept-Encoding, Accept-Language, Authorization, Origin',
    'cache-control': shared ?? 'private, no-store',
    'content-type': 'application/json; charset=utf-8',
  })
  if (shared) reply.header('etag', `W/"${hash('sha1', json, 'base64url')}"`)
  const meta = { request_id: `req_${id}`, timestamp: new Date(now).toISOString(), version: 'v1' }
  return reply.send(`{"success":true,"data":${json},"meta":${JSON.stringify(meta)}}`)
}

const TOKEN = /^Bearer pla_([0-9a-z]{26})[0-9a-z]{6}[A-Za-z0-9_-]{43}$/

/** Returns the session id in the request's token, and the token's hash. */
function credentials(request: FastifyRequest): [session: string, hash: string] {
  const header = request.headers.authorization ?? ''
  const session = TOKEN.exec(header)?.[1]
  if (!session) throw new Error('no session')
  return [`ses_${session}`, hash('sha256', header.slice(7), 'base64url')]
}

/** Returns the hash of the API key in the request. */
function keyOf(request: FastifyRequest): string {
  return hash('sha256', String(request.headers['x-api-key']), 'base64url')
}

/** Returns the key's owner if the key may create contents, else undefined. */
function writer(holder: KeyHolder | undefined): KeyHolder | undefined {
  const may = (scopes = '[]') => (JSON.parse(scopes) as string[]).includes('contents:write')
  return may(holder?.scopes) && may(holder?.app_scopes) ? holder : undefined
}

function toRequest(request: FastifyRequest, viewer: Request['viewer'], now: number): Request {
  const { id = '' } = request.params as { id?: string }
  const { sort } = request.query as { sort?: string }
  const body = (request.body as { body: string } | null)?.body ?? ''
  return { viewer, id, sort, body, work: request.body as NewContent, now }
}

interface Route {
  url: string
  status?: 201
  caller?: 'nobody' | 'key'
  read?: keyof typeof reads
  write?: keyof typeof writes
  cache?: string
}

const comments = 'contents/:id/comments'
const ROUTES: readonly Route[] = [
  { url: 'notifications/unread-count', read: 'unread' },
  { url: 'notifications', read: 'notifications' },
  { url: comments, caller: 'nobody', read: 'comments', cache: 'public, no-cache' },
  { url: 'users/me/likes', read: 'likes' },
  { url: 'feeds', read: 'feeds' },
  { url: 'jump/games', read: 'games' },
  { url: 'contents/:id', read: 'detail' },
  {
    url: 'contents/:id/recommendations',
    caller: 'nobody',
    read: 'recommendations',
    cache: 'public, max-age=30',
  },
  { url: 'creators/:id', read: 'creator' },
  { url: 'feed', read: 'posts' },
  { url: 'dm/conversations', read: 'conversations' },
  { url: 'dm/conversations/:id/messages', read: 'messages' },
  { url: 'contents/:id/like', write: 'like' },
  { url: 'contents/:id/bookmark', write: 'bookmark' },
  { url: 'creators/:id/follow', write: 'follow' },
  { url: comments, status: 201, write: 'comment' },
  { url: 'dm/conversations/:id/messages', status: 201, write: 'message' },
  { url: 'posts', status: 201, write: 'post' },
  { url: 'contents', status: 201, caller: 'key', write: 'content' },
]

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

function serve(handlerOf: (route: Route) => Handler): void {
  for (const route of ROUTES) {
    const method = route.read ? 'GET' : 'POST'
    app.route({ method, url: `/api/v1/${route.url}`, handler: handlerOf(route) })
  }
}

/** Registers synchronous handlers, because node:sqlite is synchronous. */
function serveSqlite(): void {
  const handlers = sqliteHandlers(database)
  serve(({ status = 200, caller, read, write, cache }) => (request, reply) => {
    const now = Date.now()
    const viewer =
      caller === 'nobody'
        ? null
        : caller === 'key'
          ? writer(handlers.keyHolder(keyOf(request), now))
          : handlers.viewer(...credentials(request), now)
    if (viewer === undefined) return reply.code(401).send()
    const asked = toRequest(request, viewer, now)
    const data = read ? handlers.read(read, asked) : write && handlers.write(write, asked)
    return send(reply, status, data, viewer ? undefined : cache)
  })
}

function servePostgres(): void {
  const handlers = postgresHandlers(database)
  serve(({ status = 200, caller, read, write, cache }) => async (request, reply) => {
    const now = Date.now()
    const viewer =
      caller === 'nobody'
        ? null
        : caller === 'key'
          ? writer(await handlers.keyHolder(keyOf(request), now))
          : await handlers.viewer(...credentials(request), now)
    if (viewer === undefined) return reply.code(401).send()
    const asked = toRequest(request, viewer, now)
    const data = read ? handlers.read(read, asked) : write && handlers.write(write, asked)
    return send(reply, status, await data, viewer ? undefined : cache)
  })
}

if (isPostgres) servePostgres()
else serveSqlite()
process.on('SIGTERM', () => process.exit(0))
console.log(await app.listen({ host: '127.0.0.1', port: Number(port) }))
