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
import type { Caller } from './auth.ts'
import { discard, readJsonText } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { compressReplies } from './encoding.ts'
import { failure, JSON_TYPE, metaId, originOf, requestIdOf, standardHeaders } from './envelope.ts'
import { parseQuery } from './query.ts'
import { allowedMethods } from './server/allow-header.ts'
import {
  BodyTimeout,
  BODY_TIMEOUT_LIMITS,
  type BodyTimeoutLimits,
  hasBody,
} from './server/body-timeout.ts'
import type { Load } from './server/load.ts'
import { watchRequests, answerUnparsed, hangUp, ignoreBody, type Refusing } from './server/raw.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Caller | null
    /** True when the request has forwarding headers but no proxy is trusted. `ip` may then be a proxy's address. */
    isForwarded: boolean
    bodyTimeout: BodyTimeout | null
    errorCode: ErrorCode | null
    defaultLanguage: Language
  }
  interface FastifyContextConfig {
    /** Kind of body that the route reads. Undefined for routes that ignore their body. */
    takes?: 'json' | 'file' | undefined
    /** True for routes that an overloaded server still serves. */
    isVital?: boolean
    /** URL of a deprecated route's replacement. */
    successor?: string | ((request: FastifyRequest) => string)
  }
}

interface HttpSettings {
  log: Logger
  load: Load
  onAnswered?: ((answered: Answered) => void) | undefined
  /** Number of trusted proxies in front of the server. Determines the client's address. */
  trustProxy: number
  corsOrigins: readonly string[]
  /** Response language when the client accepts no supported language. Default: Korean. */
  defaultLanguage?: Language
  now: () => number
  /** Handles requests without a route. Must send a response or call `pass`, which sends the standard 404. */
  answerOther?:
    | ((request: FastifyRequest, reply: FastifyReply, pass: () => void) => Promise<void>)
    | undefined
  /**
   * True for a path whose routes are closed, such as setup once there is an administrator. Methods without a
   * route then get 404 instead of 405.
   */
  isClosed?: ((path: string) => Promise<boolean>) | undefined
  bodyTimeout?: BodyTimeoutLimits
}

const OUTAGE_CODES: ReadonlySet<ErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'STORAGE_FULL'])
/** Matches 100-continue, the only expectation in RFC 9110 (section 10.1.1), with Node's own pattern. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
const HEADERS_TIMEOUT_MS = 15_000
const IDLE_TIMEOUT_MS = 30_000

const UNTRUSTED_PROXY =
  'untrusted proxy: a request carries X-Forwarded-For or Forwarded, but TRUST_PROXY is 0. If a proxy is in front, set TRUST_PROXY to the number of proxies; until then all clients share the limits of its address'

type Answer = (request: FastifyRequest, reply: FastifyReply) => void
type Fail = (request: FastifyRequest, reply: FastifyReply, error: unknown) => void

/**
 * Creates the server without routes. It assigns request ids, sends CORS headers, responds to unknown routes
 * and methods, and converts failures to errors in the envelope.
 */
export function createHttp(settings: HttpSettings): FastifyInstance {
  const { log, now } = settings
  const accessLog = new AccessLog(log, settings.onAnswered)
  const refusing: Refusing = {
    now,
    defaultLanguage: settings.defaultLanguage ?? 'ko',
    onRefused: (origin, status, request) => accessLog.refuse(origin, status, request),
  }
  const fail = failing(settings)
  // Plugins accept only a Fastify instance whose logger has this base type.
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    // Uses one logger for all requests, because creating a child logger for each request is slow. Log lines
    // contain the request id anyway.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers),
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < settings.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 16_384, querystringParser: parseQuery },
    // Off, because `body-timeout.ts` limits the time for bodies.
    requestTimeout: 0,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 5000,
      // `isSound` rejects a missing Host header, with an error in the envelope.
      requireHostHeader: false,
    },
    frameworkErrors: (_error, request, reply) => {
      // Fastify runs no hooks before `frameworkErrors`, so the default language must be set here.
      request.defaultLanguage = refusing.defaultLanguage
      accessLog.watch(request, reply)
      fail(request, reply, new ApiError('ROUTE_NOT_FOUND'))
    },
    clientErrorHandler: (error, socket) => answerUnparsed(error, socket, refusing),
  })
  app.decorateRequest('viewer', null)
  app.decorateRequest('isForwarded', false)
  app.decorateRequest('bodyTimeout', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('defaultLanguage', settings.defaultLanguage ?? 'ko')
  app.setErrorHandler((error, request, reply) => fail(request, reply, error))
  const allowed = allowedMethods(app)
  compressReplies(app)
  registerChecks(app, settings, answeringUnrouted(settings, allowed, fail), fail, {
    accessLog,
    refusing,
  })
  watchRequests(app)
  return app
}

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
      OUTAGE_CODES.has(known.code) &&
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

function answeringUnrouted(
  { corsOrigins, now, answerOther, isClosed }: HttpSettings,
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
    if (!isClosed) return answerMethod(request, reply, methods)
    isClosed(pathOf(request)).then(
      (closed) => {
        if (closed) fail(request, reply, new ApiError('ROUTE_NOT_FOUND'))
        else answerMethod(request, reply, methods)
      },
      (error) => fail(request, reply, error),
    )
  }

  function answerMethod(request: FastifyRequest, reply: FastifyReply, methods: string): void {
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

function registerChecks(
  app: FastifyInstance,
  { load, log, trustProxy, bodyTimeout = BODY_TIMEOUT_LIMITS }: HttpSettings,
  answerUnrouted: Answer,
  fail: Fail,
  { accessLog, refusing }: { accessLog: AccessLog; refusing: Refusing },
): void {
  let hasWarned = false
  app.addHook('onRequest', (request, reply, done) => {
    // A client can pipeline many requests. Each one waits until the previous response has been sent. Otherwise
    // unread responses could fill the memory, and other clients would wait.
    if (reply.raw.socket) begin(request, reply, done)
    else reply.raw.once('socket', () => setImmediate(begin, request, reply, done))
  })
  function begin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { raw } = request
    accessLog.watch(request, reply)
    const { isVital, takes, successor } = request.routeOptions.config
    if (successor !== undefined) {
      const url = typeof successor === 'string' ? successor : successor(request)
      reply.headers(deprecationHeaders(url))
    }
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
    // Ignores the Authorization headers if there are several, because they do not identify one caller.
    if (headers.authorization !== undefined && timesSent(raw, 'authorization') > 1) {
      delete headers.authorization
    }
    if (hasBody(raw)) {
      request.bodyTimeout = new BodyTimeout(raw, bodyTimeout, () =>
        hangUp(raw, reply.raw.headersSent, refusing),
      )
      if (!takes) ignoreBody(raw)
    }
    // A route without a body ignores every body. Without this line, an invalid Content-Type would return 415.
    if (!takes && headers['content-type'] !== undefined) delete headers['content-type']
    if (request.is404) return answerUnrouted(request, reply)
    done()
  }
  // Removes Fastify's own body parser. It closes the connection after 413, reads JSON in any charset, and
  // checks the size before the encoding.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async ({ raw, routeOptions }: FastifyRequest) => {
    const { takes } = routeOptions.config
    if (takes === 'json') return readJsonText(raw)
    if (!takes) discard(raw)
    return undefined
  })
}

/**
 * True when no proxy in front can interpret the request differently, which prevents request smuggling (RFC 9112,
 * sections 3.2, 6.1 and 7). Requires HTTP/1 and one Host header (optional in HTTP/1.0). The only allowed transfer coding
 * is `chunked`, and the only expectation `100-continue`.
 */
function isSound(request: IncomingMessage): boolean {
  const { headers, httpVersion, httpVersionMajor } = request
  const hosts = timesSent(request, 'host')
  if (httpVersionMajor !== 1 || hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false
  const { expect, 'transfer-encoding': coding } = headers
  // The parser rejects unknown transfer codings only after the route has started.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return false
  return expect === undefined || CONTINUE.test(expect)
}

/**
 * Returns how many times a request contains a header. Node's `headers` has only the first value of a header such as
 * Host.
 */
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

/**
 * Time of the first release, which already deprecated these routes. In the format of RFC 9745: `@` and the Unix
 * time in seconds.
 */
const SINCE = '@1795219200'

/** Returns the headers of a deprecated route (RFC 9745, RFC 8288). */
function deprecationHeaders(successor: string): { deprecation: string; link: string } {
  return { deprecation: SINCE, link: `<${successor}>; rel="successor-version"` }
}
