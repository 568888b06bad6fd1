import { type ServerResponse, STATUS_CODES } from 'node:http'
import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { corsHeaders } from './cors.ts'
import { CSV_TYPE } from './csv.ts'
import type { CoreDeps, RouteRecord } from './declaration.ts'
import { codingFor, compress } from './encoding.ts'
import { JSON_TYPE, linesOf, originOf, standardLines, successBody } from './envelope.ts'
import { etagOf, matchesEtag } from './etag.ts'

interface Outgoing {
  status: number
  data: string | null
  isShared: boolean
  cache: RouteRecord['cache']
  /**
   * True when the data may contain a token or a key. Such a response is not compressed, because its compressed
   * size would reveal parts of the secret (BREACH).
   */
  mayHoldSecrets: boolean
  offersCsv: boolean
  /** CSV that is sent instead of `data`. */
  csv?: string
}

const VARY = 'vary: Accept-Encoding, Accept-Language, Authorization, Origin\r\n'
const PRIVATE = 'cache-control: private, no-store\r\n'
const TYPE = `content-type: ${JSON_TYPE}\r\n`

/**
 * Sends `csv` if it is set, otherwise `data` in the JSON envelope. Sends 204 when `data` is null. Adds an ETag to
 * shared responses without a viewer, and sends 304 when the client has the same ETag.
 */
export function send(
  deps: Pick<CoreDeps, 'clock' | 'corsOrigins'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, data, isShared, cache, mayHoldSecrets, offersCsv, csv }: Outgoing,
): FastifyReply | Promise<FastifyReply> {
  const now = deps.clock.now()
  const { origin } = request.headers
  let head = standardLines(originOf(request), now) + VARY
  if (origin !== undefined) head += linesOf(corsHeaders(origin, deps.corsOrigins))
  if (offersCsv) head += 'vary: Accept\r\n'
  if (data === null) return end(reply, 204, head + PRIVATE)
  if (isShared && !request.viewer) {
    const etag = etagOf(data)
    head += `etag: ${etag}\r\ncache-control: ${sharedCache(cache)}\r\n`
    if (matchesEtag(request.headers['if-none-match'], etag)) return end(reply, 304, head)
  } else {
    head += PRIVATE
  }
  const body = csv ?? successBody(data, request.id, now)
  const type = csv === undefined ? TYPE : `content-type: ${CSV_TYPE}\r\n`
  const coding = mayHoldSecrets ? undefined : codingFor(request, body)
  if (!coding) return end(reply, status, head + type, body)
  return compress(body, coding).then((bytes) =>
    end(reply, status, `${head}${type}content-encoding: ${coding}\r\n`, bytes),
  )
}

/**
 * Internals of Node that `writeHead` uses. `_storeHeader` adds `date` and `connection` to the headers. It also adds
 * headers such as `transfer-encoding`, unless `_hasBody` is false.
 */
interface HeadWriter {
  _storeHeader(lines: string, headers: Record<string, unknown>): void
  _hasBody: boolean
}

/**
 * Writes the response head as one string, and then the body. Node would validate each header separately, which
 * takes a fifth of the time for a short request. The server generates or validates every value itself.
 */
function end(
  reply: FastifyReply,
  status: number,
  head: string,
  body?: string | Buffer,
): FastifyReply {
  reply.hijack()
  const raw = reply.raw as ServerResponse & HeadWriter
  const headers: Record<string, unknown> = reply.getHeaders()
  raw.statusCode = status
  if (body !== undefined) headers['content-length'] = Buffer.byteLength(body)
  // oxlint-disable-next-line eslint/no-underscore-dangle
  else raw._hasBody = false
  // oxlint-disable-next-line eslint/no-underscore-dangle
  raw._storeHeader(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}`, headers)
  raw.end(body)
  return reply
}

/**
 * Returns a function that converts data to JSON text. Without a schema, the function returns null. The schema
 * is compiled on the first call, so that the server starts quickly.
 */
export function serialiser(schema: TSchema | undefined): (data: unknown) => string | null {
  if (!schema) return () => null
  let serialise: ((data: unknown) => string) | undefined
  return (data) => {
    serialise ??= fastJson(schema)
    return serialise(data)
  }
}

function sharedCache(cache: RouteRecord['cache']): string {
  return typeof cache === 'number' ? `public, max-age=${cache}` : 'public, no-cache'
}
