/**
 * The HTTP server around the routes: request ids, unknown routes and methods, CORS, and the one
 * exit through which every failure leaves in the envelope, whatever raised it.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { DatabaseFull, DatabaseUnavailable } from '../db/handle.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { languageOf } from '../messages/language.ts'
import type { Caller } from './auth.ts'
import { discard } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { failure, JSON_TYPE, standardHeaders } from './envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Caller | null
  }
  interface FastifyContextConfig {
    takesBody?: boolean
  }
}

export interface HttpSettings {
  log: Logger
  /** How many proxies in front are trusted for the caller's address. */
  trustProxy: number
  corsOrigins: readonly string[]
  now: () => number
}

/** Failures that the operator should hear of, beside the unexpected ones. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'STORAGE_FULL'])
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** Milliseconds for the whole of a request to arrive, and for its headers. */
const REQUEST_TIMEOUT = 30_000
const HEADERS_TIMEOUT = 15_000
/** Milliseconds without a byte either way, where one is waited for, after which a connection is cut. */
const IDLE_TIMEOUT = 30_000
/** Milliseconds a caller gets to read an answer after which the connection ends. */
const HANG_UP_MS = 2000

/** A server without routes. */
export function createHttp(settings: HttpSettings): FastifyInstance {
  const { log, now } = settings
  // Named by its lesser type, so that the instance has the types that plugins expect.
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    // A child logger for each request would cost more than the request; log lines name its id.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestIdOf(raw),
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < settings.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 5000,
      // Answered below, in the envelope.
      requireHostHeader: false,
    },
    frameworkErrors: (_error, request, reply) =>
      fail(request, reply, new ApiError('ROUTE_NOT_FOUND')),
    clientErrorHandler: (error, socket) => answerRaw(error, socket, now()),
  })

  const fail = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    const known = toApiError(error)
    const origin = originOf(request)
    if (known.code === 'INTERNAL_ERROR') {
      log.error({
        err: error,
        request_id: request.id,
        method: request.method,
        url: pathOf(request),
      })
    } else if (FAULTS.has(known.code)) {
      log.warn({ err: error, request_id: request.id })
    }
    const { status, headers, body } = failure(known, origin, now())
    reply
      .code(status)
      .headers(standardHeaders(origin, now()))
      .headers(corsHeaders(request.headers.origin, settings.corsOrigins))
      .headers(headers)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send(body)
  }

  const addresses: Address[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) addresses.push({ method: name, path: url })
  })
  const allowed = allowedMethods(addresses)
  /** Answers what no route took: OPTIONS and other methods of a known path, and unknown paths. */
  const answerUnrouted = (request: FastifyRequest, reply: FastifyReply): void => {
    discard(request.raw)
    const methods = allowed(pathOf(request))
    if (!methods) return fail(request, reply, new ApiError('ROUTE_NOT_FOUND'))
    reply.header('allow', methods)
    if (request.method !== 'OPTIONS') {
      return fail(request, reply, new ApiError('METHOD_NOT_ALLOWED'))
    }
    reply
      .code(204)
      .headers(standardHeaders(originOf(request), now()))
      .headers(corsHeaders(request.headers.origin, settings.corsOrigins))
      .headers(preflightHeaders(methods))
      .header('vary', 'Origin')
      .send()
  }

  app.decorateRequest('viewer', null)
  app.setErrorHandler((error, request, reply) => fail(request, reply, error))
  app.addHook('onRequest', (_request, reply, done) => {
    // Node hands over all requests of a pipeline at once. Each waits until the answer before it
    // has left and others had their turn, so no caller is served before all others, nor fills
    // memory with answers unread.
    if (reply.raw.socket) done()
    else reply.raw.once('socket', () => setImmediate(done))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const hosts = timesSent(request.raw, 'host')
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      return fail(request, reply, new ApiError('BAD_REQUEST'))
    }
    // Of two tokens neither is taken for the caller's.
    if (timesSent(request.raw, 'authorization') > 1) delete request.headers.authorization
    if (request.is404) return answerUnrouted(request, reply)
    // A body that no one asked for is not judged, whatever its type says.
    if (!request.routeOptions.config.takesBody) delete request.headers['content-type']
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (log.isLevelEnabled('debug')) {
      log.debug({
        request_id: request.id,
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user_id: request.viewer?.id,
      })
    }
    done()
  })
  // Bodies are read by the route, after authentication and by its own rules.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    if (!request.routeOptions.config.takesBody) discard(payload)
    done(null, undefined)
  })
  answerOddRequests(app, now)
  return app
}

function requestIdOf(raw: IncomingMessage): string {
  const sent = raw.headers['x-request-id']
  return typeof sent === 'string' && UUID.test(sent) ? sent.toLowerCase() : randomUUIDv7()
}

/** How often a header was sent; where it should be one, Node shows the first only. */
function timesSent({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string
    if (sent.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}

function originOf(request: FastifyRequest) {
  return { requestId: request.id, language: languageOf(request.headers['accept-language']) }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] as string
}

interface Address {
  method: string
  path: string
}

/**
 * Methods of a path as an `Allow` value, or undefined when no route has it. `addresses` is read
 * when it is first needed, so it may fill until then.
 */
function allowedMethods(addresses: readonly Address[]) {
  let patterns: { pattern: RegExp; methods: Set<string> }[] | undefined
  return (path: string): string | undefined => {
    patterns ??= compilePatterns(addresses)
    const methods = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).flatMap((match) => [...match.methods]),
    )
    if (methods.size === 0) return undefined
    return [...methods, 'OPTIONS'].join(', ')
  }
}

function compilePatterns(addresses: readonly Address[]) {
  const byPath = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  for (const { method, path } of addresses) {
    const entry = byPath.get(path) ?? { pattern: patternOf(path), methods: new Set() }
    entry.methods.add(method)
    byPath.set(path, entry)
  }
  return [...byPath.values()]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return new ApiError('SERVICE_UNAVAILABLE')
  if (error instanceof DatabaseFull) return new ApiError('STORAGE_FULL')
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP')) {
    return new ApiError(statusCode === 413 ? 'PAYLOAD_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE')
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new ApiError('BAD_REQUEST')
  }
  return new ApiError('INTERNAL_ERROR')
}

const PARSER_CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

/** Answers a request that could not be parsed, straight to its socket. */
function answerRaw(error: Error & { code?: string }, socket: Socket, now: number): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = PARSER_CODES[error.code ?? ''] ?? 'BAD_REQUEST'
  endWith(socket, rawAnswer(code, now))
}

/** Sends the last answer of a connection. A caller who does not hang up is cut off; one who has is no error. */
function endWith(socket: Socket, answer: string): void {
  socket.on('error', () => {})
  socket.end(answer)
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref()
}

function rawAnswer(code: ErrorCode, now: number): string {
  const origin = { requestId: randomUUIDv7(), language: languageOf(undefined) }
  const { status, headers, body } = failure(new ApiError(code), origin, now)
  const lines = Object.entries({
    ...standardHeaders(origin, now),
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${code}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** What Node answers by itself, with an empty body or not at all. */
function answerOddRequests(app: FastifyInstance, now: () => number): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    if (response.socket) endWith(response.socket, rawAnswer('BAD_REQUEST', now()))
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    endWith(socket, rawAnswer('METHOD_NOT_ALLOWED', now()))
    socket.resume()
  })
}
