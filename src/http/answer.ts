/** Sends what a handler returned: in the envelope, with the headers of its kind of answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders } from './cors.ts'
import type { AnyDeclaration, CoreDeps } from './declaration.ts'
import { JSON_TYPE, originOf, standardHeaders, successBody } from './envelope.ts'
import { etagOf, matchesEtag } from './etag.ts'

interface Outgoing<D> {
  status: number
  data: string | null
  route: AnyDeclaration<D>
}

/** Answers with `data`, which is JSON already; 204 without. A shared answer may be 304. */
export function send<D extends CoreDeps>(
  deps: D,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, data, route }: Outgoing<D>,
): FastifyReply {
  const now = deps.clock.now()
  reply
    .code(status)
    .headers(standardHeaders(originOf(request), now))
    .headers(corsHeaders(request.headers.origin, deps.corsOrigins))
  if (route.headers) reply.headers(route.headers)
  reply.header('vary', 'Accept-Language, Authorization, Origin')
  if (data === null) return reply.header('cache-control', 'private, no-store').send()
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  const shared = isGet && !request.viewer && route.auth !== 'user' && route.cache !== 'private'
  if (shared) {
    const etag = etagOf(data)
    reply.header('etag', etag).header('cache-control', sharedCache(route.cache))
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  } else {
    reply.header('cache-control', 'private, no-store')
  }
  return reply.header('content-type', JSON_TYPE).send(successBody(data, request.id, now))
}

function sharedCache(cache: 'revalidate' | 'private' | number | undefined): string {
  return typeof cache === 'number' ? `public, max-age=${cache}` : 'public, no-cache'
}
