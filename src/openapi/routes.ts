import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor, compress } from '../http/encoding.ts'
import { JSON_TYPE, standardHeaders } from '../http/envelope.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import { PAGE, readScalar, START } from './scalar.ts'
import type { Document } from './types.ts'

interface Resource {
  type: string
  read: (publicUrl: string | undefined) => string | Promise<string>
  headers?: (publicUrl: string | undefined) => Record<string, string>
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const NO_HEADERS = () => ({})

const RESOURCES: Record<string, Resource> = {
  '/openapi.json': {
    type: JSON_TYPE,
    read: (publicUrl) => JSON.stringify(readDocument(publicUrl)),
    headers: () => ({ 'access-control-allow-origin': '*' }),
  },
  '/docs': {
    type: 'text/html; charset=utf-8',
    read: () => PAGE,
    headers: (publicUrl) => ({ 'content-security-policy': pagePolicy(publicUrl) }),
  },
  '/docs/start.js': { type: SCRIPT_TYPE, read: () => START },
  '/docs/scalar.js': { type: SCRIPT_TYPE, read: readScalar },
}

/** Returns the Content Security Policy of the reference page. The page may also call the API under PUBLIC_URL. */
function pagePolicy(publicUrl: string | undefined): string {
  const server = publicUrl === undefined ? '' : ` ${new URL(publicUrl).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src 'self'${server}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Reads the OpenAPI document. Its server URL becomes PUBLIC_URL, if that is set. */
function readDocument(publicUrl: string | undefined): Document {
  const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  const document: Document = JSON.parse(text)
  const [server] = document.servers
  if (server && publicUrl !== undefined) server.url = publicUrl
  return document
}

interface ReferenceDeps {
  publicUrl: string | undefined
  now: () => number
}

export function registerReference(app: FastifyInstance, deps: ReferenceDeps): void {
  for (const [url, resource] of Object.entries(RESOURCES)) {
    app.get(url, answerWith(resource, deps))
  }
}

/** Returns a handler that reads and compresses a resource on its first request, then serves it from memory. */
function answerWith(
  { type, read, headers = NO_HEADERS }: Resource,
  { publicUrl, now }: ReferenceDeps,
) {
  const readOnce = once(async () => {
    const body = await read(publicUrl)
    return { body, etag: etagOf(body), coded: new Map<Coding, Promise<Buffer>>() }
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { body, etag, coded } = await readOnce()
    reply
      .headers(standardHeaders({ requestId: request.id, language: 'en' }, now()))
      .headers(headers(publicUrl))
      .header('etag', etag)
      .header('vary', 'Accept-Encoding')
      .header('cache-control', 'public, no-cache')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.header('content-type', type)
    const coding = codingFor(request, body)
    if (!coding) return reply.send(body)
    const bytes = coded.get(coding) ?? compress(body, coding, true)
    coded.set(coding, bytes)
    return reply.header('content-encoding', coding).send(await bytes)
  }
}

/**
 * Returns a function that calls `read` once and keeps its result. After a failure, the next call runs `read`
 * again.
 */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= read().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
