/**
 * The HTTP server around the routes: request ids, unknown routes and methods, CORS, and the one
 * exit through which every failure leaves in the envelope, whatever raised it.
 */
import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { DatabaseFull, DatabaseUnavailable, DatabaseUnreachable } from '../db/handle.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Language } from '../messages/language.ts'
import { FileMissing, StorageFull, StorageUnavailable, toStorageError } from '../storage/store.ts'
import { AccessLog, type Answered, loggedPath } from './access-log.ts'
import { allowedMethods } from './allow.ts'
import { Arrival, ARRIVAL_LIMITS, type ArrivalLimits, hasBody } from './arrival.ts'
import type { Caller } from './auth.ts'
import { discard } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { compressReplies } from './encoding.ts'
import { failure, JSON_TYPE, metaId, originOf, requestIdOf, standardHeaders } from './envelope.ts'
import type { Load } from './load.ts'
import { parseQuery } from './query.ts'
import { answerOddRequests, answerUnparsed, hangUp, ignoreBody, type Refusing } from './raw.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Caller | null
    /** True when an untrusted proxy claims to forward this request, so `ip` may be the proxy's. */
    isForwarded: boolean
    /** Null for a request without a body. */
    arrival: Arrival | null
    /** Null until it failed. */
    errorCode: ErrorCode | null
    /** Of answers to clients that name no known language. */
    defaultLanguage: Language
  }
  interface FastifyContextConfig {
    takesBody?: boolean
    /** True where it is answered however busy the server is. */
    isVital?: boolean
    /** The address to use instead of a deprecated one. */
    successorOf?: (request: FastifyRequest) => string
  }
}

interface HttpSettings {
  log: Logger
  load: Load
  /** Hears of every answer. */
  onAnswered?: ((answered: Answered) => void) | undefined
  /** How many proxies in front are trusted for the caller's address. */
  trustProxy: number
  corsOrigins: readonly string[]
  /** Language of responses for clients that name no known language; Korean by default. */
  defaultLanguage?: Language
  now: () => number
  /** Gets what no route has, to answer it or to `pass` it on to the answer that it is not there. */
  answerOther?:
    | ((request: FastifyRequest, reply: FastifyReply, pass: () => void) => Promise<void>)
    | undefined
  /** How long bodies may take; as the module says unless given. */
  arrival?: ArrivalLimits
}

/** Failures of the database or the storage, which the operator should hear of. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'STORAGE_FULL'])
/** The one expectation that a server must know (RFC 9110, section 10.1.1), found as Node finds it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
/** Milliseconds for the headers of a request to arrive. */
const HEADERS_TIMEOUT = 15_000
/** Milliseconds without a byte either way, where one is waited for, after which a connection is cut. */
const IDLE_TIMEOUT = 30_000

const UNTRUSTED_PROXY =
  'untrusted proxy: a request carries X-Forwarded-For or Forwarded, but TRUST_PROXY is 0. If a proxy is in front, set TRUST_PROXY to the number of proxies; until then all clients share the limits of its address'

type Answer = (request: FastifyRequest, reply: FastifyReply) => void
type Fail = (request: FastifyRequest, reply: FastifyReply, error: unknown) => void

/** A server without routes. */
export function createHttp(settings: HttpSettings): FastifyInstance {
  const { log, now } = settings
  const accessLog = new AccessLog(log, settings.onAnswered)
  const refusing: Refusing = {
    now,
    defaultLanguage: settings.defaultLanguage ?? 'ko',
    onRefused: (origin, status, request) => accessLog.refuse(origin, status, request),
  }
  const fail = failing(settings)
  // Named by its lesser type, so that the instance has the types that plugins expect.
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    // A child logger for each request would cost more than the request; log lines name its id.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers),
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < settings.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 16_384, querystringParser: parseQuery },
    // Bodies have limits of their own: see arrival.ts.
    requestTimeout: 0,
    connectionTimeout: IDLE_TIMEOUT,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 5000,
      // Answered below, in the envelope.
      requireHostHeader: false,
    },
    frameworkErrors: (_error, request, reply) => {
      // Such a request has no decorations and runs no hooks.
      request.defaultLanguage = refusing.defaultLanguage
      accessLog.watch(request, reply)
      fail(request, reply, new ApiError('ROUTE_NOT_FOUND'))
    },
    clientErrorHandler: (error, socket) => answerUnparsed(error, socket, refusing, allowed),
  })
  app.decorateRequest('viewer', null)
  app.decorateRequest('isForwarded', false)
  app.decorateRequest('arrival', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('defaultLanguage', settings.defaultLanguage ?? 'ko')
  app.setErrorHandler((error, request, reply) => fail(request, reply, error))
  const allowed = allowedMethods(app)
  compressReplies(app)
  receive(app, settings, answeringUnrouted(settings, allowed, fail), fail, { accessLog, refusing })
  answerOddRequests(app, refusing, allowed)
  return app
}

/** The one exit for failures. */
function failing({ log, corsOrigins, now }: HttpSettings): Fail {
  return (request, reply, error) => {
    const known = toApiError(error)
    request.errorCode = known.code
    const origin = originOf(request)
    if (known.code === 'INTERNAL_ERROR') {
      log.error({
        err: error,
        request_id: metaId(request.id),
        method: request.method,
        path: loggedPath(request.url),
      })
    } else if (
      FAULTS.has(known.code) &&
      error !== known &&
      !(error instanceof DatabaseUnreachable)
    ) {
      log.warn({ err: error, request_id: metaId(request.id) })
    }
    const { status, headers, body } = failure(known, origin, now())
    reply
      .code(status)
      .headers(standardHeaders(origin, now()))
      .headers(corsHeaders(request.headers.origin, corsOrigins))
      .headers(headers)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send(body)
  }
}

/** Answers what no route took: OPTIONS and other methods of a known path, and unknown paths. */
function answeringUnrouted(
  { corsOrigins, now, answerOther }: HttpSettings,
  allowed: (path: string) => string | undefined,
  fail: Fail,
): Answer {
  return (request, reply) => {
    discard(request.raw)
    const methods = allowed(pathOf(request))
    if (!methods) {
      const pass = () => fail(request, reply, new ApiError('ROUTE_NOT_FOUND'))
      if (!answerOther) return pass()
      answerOther(request, reply, pass).catch((error) => fail(request, reply, error))
      return
    }
    reply.header('allow', methods)
    if (request.method !== 'OPTIONS') {
      return fail(request, reply, new ApiError('METHOD_NOT_ALLOWED'))
    }
    reply
      .code(204)
      .headers(standardHeaders(originOf(request), now()))
      .headers(corsHeaders(request.headers.origin, corsOrigins))
      .headers(preflightHeaders(methods))
      .header('vary', 'Origin')
      .send()
  }
}

/** What happens to every request before its route. */
function receive(
  app: FastifyInstance,
  { load, log, trustProxy, arrival = ARRIVAL_LIMITS }: HttpSettings,
  answerUnrouted: Answer,
  fail: Fail,
  { accessLog, refusing }: { accessLog: AccessLog; refusing: Refusing },
): void {
  let hasWarned = false
  app.addHook('onRequest', (request, reply, done) => {
    // Node hands over all requests of a pipeline at once. Each waits until the answer before it
    // has left and others had their turn, so no caller is served before all others, nor fills
    // memory with answers unread.
    if (reply.raw.socket) begin(request, reply, done)
    else reply.raw.once('socket', () => setImmediate(begin, request, reply, done))
  })
  function begin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { raw } = request
    accessLog.watch(request, reply)
    const { isVital, takesBody, successorOf } = request.routeOptions.config
    if (successorOf) reply.headers(deprecationHeaders(successorOf(request)))
    if (!isVital && !load.hasRoom()) {
      discard(raw)
      return fail(request, reply, new ApiError('SERVICE_UNAVAILABLE'))
    }
    if (!isSound(raw)) {
      discard(raw)
      return fail(request, reply, new ApiError('BAD_REQUEST'))
    }
    const { headers } = raw
    if (trustProxy === 0 && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined) {
      request.isForwarded = true
      if (!hasWarned) log.warn(UNTRUSTED_PROXY)
      hasWarned = true
    }
    // Of two tokens neither is taken for the caller's.
    if (headers.authorization !== undefined && timesSent(raw, 'authorization') > 1) {
      delete headers.authorization
    }
    if (hasBody(raw)) {
      request.arrival = new Arrival(raw, arrival, () =>
        hangUp(raw, reply.raw.headersSent, refusing),
      )
      if (!takesBody) ignoreBody(raw)
    }
    // A body that no one asked for is not judged, whatever its type says.
    if (!takesBody && headers['content-type'] !== undefined) delete headers['content-type']
    if (request.is404) return answerUnrouted(request, reply)
    done()
  }
  // Bodies are read by the route, after authentication and by its own rules.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    if (!request.routeOptions.config.takesBody) discard(payload)
    done(null, undefined)
  })
}

/** Whether there is one way to read a request (RFC 9112, sections 3.2, 6.1 and 7). */
function isSound(request: IncomingMessage): boolean {
  const { headers, httpVersion, httpVersionMajor } = request
  const hosts = timesSent(request, 'host')
  // Node's parser takes 0.9 and 2.0 for versions that it speaks.
  if (httpVersionMajor !== 1 || hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false
  const { expect, 'transfer-encoding': coding } = headers
  // The parser finds out about an unknown one after the route has begun.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return false
  return expect === undefined || CONTINUE.test(expect)
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

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] as string
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return new ApiError('SERVICE_UNAVAILABLE')
  if (error instanceof DatabaseFull) return new ApiError('STORAGE_FULL')
  if (error instanceof StorageUnavailable) return new ApiError('SERVICE_UNAVAILABLE')
  if (error instanceof FileMissing) return new ApiError('UPLOAD_NOT_FOUND')
  if (toStorageError(error) instanceof StorageFull) return new ApiError('STORAGE_FULL')
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP')) {
    return new ApiError(statusCode === 413 ? 'PAYLOAD_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE')
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new ApiError('BAD_REQUEST')
  }
  return new ApiError('INTERNAL_ERROR')
}
