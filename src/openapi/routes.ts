/** Serves the OpenAPI document and the HTML page made from it. Both responses have no envelope. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor, compress } from '../http/encoding.ts'
import { JSON_TYPE, standardHeaders } from '../http/envelope.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import { renderPage } from './page.ts'
import type { Document } from './types.ts'

interface Resource {
  type: string
  read: (publicUrl: string | undefined) => string
  headers?: Record<string, string>
}

/** Allows the page to load only its own stylesheet. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const RESOURCES: Record<string, Resource> = {
  '/openapi.json': {
    type: JSON_TYPE,
    read: (publicUrl) => JSON.stringify(readDocument(publicUrl)),
    headers: { 'access-control-allow-origin': '*' },
  },
  '/docs': {
    type: 'text/html; charset=utf-8',
    read: (publicUrl) => renderPage(readDocument(publicUrl)),
    headers: { 'content-security-policy': PAGE_POLICY },
  },
  '/docs/style.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFileSync(new URL('style.css', import.meta.url), 'utf8'),
  },
}

/** Returns the generated openapi.json. When PUBLIC_URL is set, it becomes the server URL of the document. */
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

/**
 * Returns a handler that reads and compresses a resource on the first request, and then serves it from
 * memory.
 */
function answerWith({ type, read, headers = {} }: Resource, { publicUrl, now }: ReferenceDeps) {
  let kept: { body: string; etag: string; coded: Map<Coding, Promise<Buffer>> } | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!kept) {
      const body = read(publicUrl)
      kept = { body, etag: etagOf(body), coded: new Map() }
    }
    const { body, etag, coded } = kept
    reply
      .headers(standardHeaders({ requestId: request.id, language: 'en' }, now()))
      .headers(headers)
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
