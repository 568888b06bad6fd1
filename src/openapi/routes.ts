/** The reference, outside the envelope: the document, and a page made from it. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor, compress } from '../http/encoding.ts'
import { JSON_TYPE, standardHeaders } from '../http/envelope.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import { renderPage } from './page.ts'

interface Resource {
  type: string
  read: () => string
  headers?: Record<string, string>
}

/** The page loads its own stylesheet and nothing else. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const RESOURCES: Record<string, Resource> = {
  '/openapi.json': {
    type: JSON_TYPE,
    read: () => JSON.stringify(JSON.parse(readDocument())),
    headers: { 'access-control-allow-origin': '*' },
  },
  '/docs': {
    type: 'text/html; charset=utf-8',
    read: () => renderPage(JSON.parse(readDocument())),
    headers: { 'content-security-policy': PAGE_POLICY },
  },
  '/docs/style.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFileSync(new URL('style.css', import.meta.url), 'utf8'),
  },
}

function readDocument(): string {
  return readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
}

export function registerReference(app: FastifyInstance, now: () => number): void {
  for (const [url, resource] of Object.entries(RESOURCES)) {
    app.get(url, answerWith(resource, now))
  }
}

/** Reads and compresses the resource when it is first asked for, and answers from memory ever after. */
function answerWith({ type, read, headers = {} }: Resource, now: () => number) {
  let kept: { body: string; etag: string; coded: Map<Coding, Promise<Buffer>> } | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!kept) {
      const body = read()
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
