/**
 * What somebody would write by hand for these routes alone: Fastify, SQL, JSON.stringify. It checks
 * the session, does what Plaza does to the database with the same durability, and answers with the
 * same bytes and headers; it checks no input.
 */
import { hash, randomUUIDv7 } from 'node:crypto'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { postgresHandlers } from './minimal-postgres.ts'
import type { KeyHolder, NewWork, Request } from './minimal-records.ts'
import { sqliteHandlers } from './minimal-sqlite.ts'

const [database = '', port = '0'] = process.argv.slice(2)
const isPostgres = database.startsWith('postgres:')
const app = Fastify({ genReqId: () => randomUUIDv7() })

function send(reply: FastifyReply, status: number, data: unknown, isPublic: boolean): FastifyReply {
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
    vary: 'Accept-Language, Authorization, Origin',
    'cache-control': isPublic ? 'public, no-cache' : 'private, no-store',
    'content-type': 'application/json; charset=utf-8',
  })
  if (isPublic) reply.header('etag', `W/"${hash('sha1', json, 'base64url')}"`)
  const meta = { request_id: `req_${id}`, timestamp: new Date(now).toISOString(), version: 'v1' }
  return reply.send(`{"success":true,"data":${json},"meta":${JSON.stringify(meta)}}`)
}

const TOKEN = /^Bearer pla_([0-9a-z]{26})[0-9a-z]{6}[A-Za-z0-9_-]{43}$/

/** The session a request names and the hash of its token. */
function credentials(request: FastifyRequest): [session: string, hash: string] {
  const header = request.headers.authorization ?? ''
  const session = TOKEN.exec(header)?.[1]
  if (!session) throw new Error('no session')
  return [`ses_${session}`, hash('sha256', header.slice(7), 'base64url')]
}

/** The hash of the key a request names. */
function keyOf(request: FastifyRequest): string {
  return hash('sha256', String(request.headers['x-api-key']), 'base64url')
}

/** Undefined for a key that may not write works. */
function writer(holder: KeyHolder | undefined): KeyHolder | undefined {
  const may = (scopes = '[]') => (JSON.parse(scopes) as string[]).includes('contents:write')
  return may(holder?.scopes) && may(holder?.app_scopes) ? holder : undefined
}

function toRequest(request: FastifyRequest, viewer: Request['viewer'], now: number): Request {
  const { id } = request.params as { id: string }
  const { sort } = request.query as { sort?: string }
  const body = (request.body as { body: string } | null)?.body ?? ''
  return { viewer, id, sort, body, work: request.body as NewWork, now }
}

interface Route<H> {
  method: 'GET' | 'POST'
  url: string
  status: number
  caller?: 'nobody' | 'key'
  handle: H
}

function routes<H>(
  by: Record<
    'unread' | 'comments' | 'likes' | 'feeds' | 'like' | 'comment' | 'message' | 'content',
    H
  >,
): Route<H>[] {
  const api = '/api/v1'
  const comments = `${api}/contents/:id/comments`
  const messages = `${api}/dm/conversations/:id/messages`
  return [
    { method: 'GET', url: `${api}/notifications/unread-count`, status: 200, handle: by.unread },
    { method: 'GET', url: comments, status: 200, caller: 'nobody', handle: by.comments },
    { method: 'GET', url: `${api}/users/me/likes`, status: 200, handle: by.likes },
    { method: 'GET', url: `${api}/feeds`, status: 200, handle: by.feeds },
    { method: 'POST', url: `${api}/contents/:id/like`, status: 200, handle: by.like },
    { method: 'POST', url: comments, status: 201, handle: by.comment },
    { method: 'POST', url: messages, status: 201, handle: by.message },
    { method: 'POST', url: `${api}/contents`, status: 201, caller: 'key', handle: by.content },
  ]
}

/** Nothing is awaited: SQLite answers at once. */
function serveSqlite(): void {
  const handlers = sqliteHandlers(database)
  for (const { method, url, status, caller, handle } of routes<(request: Request) => unknown>(
    handlers,
  )) {
    app.route({
      method,
      url,
      handler: (request, reply) => {
        const now = Date.now()
        const viewer =
          caller === 'nobody'
            ? null
            : caller === 'key'
              ? writer(handlers.keyHolder(keyOf(request), now))
              : handlers.viewer(...credentials(request), now)
        if (viewer === undefined) return reply.code(401).send()
        return send(reply, status, handle(toRequest(request, viewer, now)), !viewer)
      },
    })
  }
}

function servePostgres(): void {
  const handlers = postgresHandlers(database)
  for (const { method, url, status, caller, handle } of routes<
    (request: Request) => Promise<unknown>
  >(handlers)) {
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const now = Date.now()
        const viewer =
          caller === 'nobody'
            ? null
            : caller === 'key'
              ? writer(await handlers.keyHolder(keyOf(request), now))
              : await handlers.viewer(...credentials(request), now)
        if (viewer === undefined) return reply.code(401).send()
        return send(reply, status, await handle(toRequest(request, viewer, now)), !viewer)
      },
    })
  }
}

if (isPostgres) servePostgres()
else serveSqlite()
process.on('SIGTERM', () => process.exit(0))
console.log(await app.listen({ host: '127.0.0.1', port: Number(port) }))
