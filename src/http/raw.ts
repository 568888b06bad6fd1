/** Writes responses directly to a socket, for requests that never reach a route. */
import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError, type ErrorCode, ERRORS } from '../errors.ts'
import type { Language } from '../messages/language.ts'
import type { RawRequest } from './access-log.ts'
import { failure, JSON_TYPE, type Origin, originOfRaw, standardHeaders } from './envelope.ts'
import { type ParserError, readUnknownMethod, type Unrouted } from './unknown-method.ts'

/** Returns the `Allow` value of a path, or undefined for an unknown path. */
type Allowed = (path: string) => string | undefined

/** Settings for responses without a route. */
export interface Refusing {
  now: () => number
  defaultLanguage: Language
  onRefused: (origin: Origin, status: number, request: RawRequest | undefined) => void
}

/** Milliseconds for the client to read the last response before the connection is cut. */
const HANG_UP_MS = 2000
/** Milliseconds after CONNECT until the connection is cut, even if earlier responses are pending. */
const BEFORE_CONNECT_MS = 10_000

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

const PARSER_CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /**
   * The previous response on the connection, if still pending. Responses leave in the order of their
   * requests.
   */
  before: ServerResponse | undefined
}

/** The newest request of each connection and its response. */
const newest = new WeakMap<Socket, Exchange>()

/** Requests whose body is ignored, so its content cannot affect the response. */
const unread = new WeakSet<IncomingMessage>()

/** Marks a request whose response does not depend on its body. */
export function ignoreBody(request: IncomingMessage): void {
  unread.add(request)
}

/** Connections that close after a pending response. */
const ending = new WeakSet<Socket>()

/**
 * Answers a request that could not be parsed, after the responses to earlier requests.
 *
 * The invalid bytes may be the body of a request that is already answered, or whose response ignores
 * the body. That response is then the last one on the connection. A second response would be taken for
 * the next request's, and an error would deny what was already done. The same holds while a complete
 * request still waits for its response.
 */
export function answerUnparsed(
  error: ParserError,
  socket: Socket,
  refusing: Refusing,
  allowed: Allowed,
): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  // Further input on a connection that is closing is ignored.
  if (ending.has(socket)) return
  if (!socket.writable) return void socket.destroy()
  const last = newest.get(socket)
  const request = readUnknownMethod(error)
  if (request) {
    const refuse = () => endWith(socket, unrouted(request, allowed), request, refusing)
    return isToCome(last?.response) ? endAfter(last.response, socket, refuse) : refuse()
  }
  const isBody = last !== undefined && !last.request.complete
  const isAnswered = last && (!isBody || last.response.headersSent || unread.has(last.request))
  if (isAnswered && isToCome(last.response)) {
    last.response.shouldKeepAlive = false
    return endAfter(last.response, socket, () => hangUpOn(socket))
  }
  if (isBody && isAnswered) return hangUpOn(socket)
  if (isBody && isToCome(last.before)) {
    return endAfter(last.before, socket, () => {
      ending.delete(socket)
      answerUnparsed(error, socket, refusing, allowed)
    })
  }
  const refusal = new ApiError(PARSER_CODES[error.code ?? ''] ?? 'BAD_REQUEST')
  endWith(socket, refusal, isBody ? last.request : undefined, refusing)
}

/** The error for a method that no route has: 405 with `Allow`, or 404 for an unknown path. */
function unrouted({ url }: Pick<Unrouted, 'url'>, allowed: Allowed): ApiError {
  const allow = allowed(url.split('?')[0] as string)
  if (allow === undefined) return new ApiError('ROUTE_NOT_FOUND')
  return new ApiError('METHOD_NOT_ALLOWED', { headers: { allow } })
}

function isToCome(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished
}

/**
 * Calls `end` after a response has been sent. Reading stops until then, since input counts as activity.
 * Otherwise a client that reads no response could keep the connection open by sending.
 */
function endAfter(response: ServerResponse, socket: Socket, end: () => void): void {
  ending.add(socket)
  socket.pause()
  response.once('finish', () => {
    socket.resume()
    end()
  })
}

/**
 * Sends 408 to a client whose body took too long, unless the response has started, and closes the
 * connection.
 */
export function hangUp(request: IncomingMessage, hasBegun: boolean, refusing: Refusing): void {
  const { socket } = request
  if (hasBegun || !socket.writable) socket.destroy()
  else endWith(socket, new ApiError('REQUEST_TIMEOUT'), request, refusing)
}

/** Handles requests that Node would answer itself, with an empty body, or would not answer at all. */
export function answerOddRequests(
  app: FastifyInstance,
  refusing: Refusing,
  allowed: Allowed,
): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
    // The parser accepts RTSP methods for RTSP requests, but the router does not know them. It
    // gets TRACE instead, because all methods without a route get the same response.
    if (!KNOWN_METHODS.has(request.method ?? '')) request.method = 'TRACE'
  })
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const before = newest.get(request.socket)?.response
    newest.set(request.socket, { request, response, before: isToCome(before) ? before : undefined })
  })
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
  app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const { url = '' } = request
    // The target of a tunnel is a host, which has no path and so supports no method.
    const refusal = url.startsWith('/')
      ? unrouted({ url }, allowed)
      : new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: '' } })
    const refuse = () => endWith(socket, refusal, request, refusing)
    const before = newest.get(socket)?.response
    socket.resume()
    if (!isToCome(before)) return refuse()
    // Node gives up the socket on CONNECT, so errors and the timeout are handled here.
    socket.on('error', () => {})
    setTimeout(() => socket.destroy(), BEFORE_CONNECT_MS).unref()
    endAfter(before, socket, refuse)
  })
}

/**
 * Sends the last response of a connection. `request` is undefined when its headers could not be read.
 */
function endWith(
  socket: Socket,
  refusal: ApiError,
  request: RawRequest | undefined,
  { now, defaultLanguage, onRefused }: Refusing,
): void {
  const origin = originOfRaw(request, defaultLanguage)
  onRefused(origin, ERRORS[refusal.code], request)
  hangUpOn(socket, rawAnswer(refusal, origin, now()))
}

/**
 * Closes the connection, and cuts it if the client does not close its side. Socket errors are ignored.
 */
function hangUpOn(socket: Socket, answer = ''): void {
  socket.on('error', () => {})
  socket.end(answer)
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref()
}

function rawAnswer(refusal: ApiError, origin: Origin, now: number): string {
  const { status, headers, body } = failure(refusal, origin, now)
  const lines = Object.entries({
    ...standardHeaders(origin, now),
    ...headers,
    'cache-control': 'no-store',
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${refusal.code}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
