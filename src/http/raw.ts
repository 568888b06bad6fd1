/** Answers straight to a socket, where there is no request that a route could answer. */
import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError, type ErrorCode, ERRORS } from '../errors.ts'
import type { Language } from '../messages/language.ts'
import type { RawRequest } from './access-log.ts'
import { failure, JSON_TYPE, type Origin, originOfRaw, standardHeaders } from './envelope.ts'
import { type ParserError, readUnknownMethod, type Unrouted } from './unknown-method.ts'

/** What the methods of a path are, as an `Allow` value; undefined where there is no such path. */
type Allowed = (path: string) => string | undefined

/** What responses without a route need. */
export interface Refusing {
  now: () => number
  defaultLanguage: Language
  onRefused: (origin: Origin, status: number, request: RawRequest | undefined) => void
}

/** Milliseconds a caller gets to read an answer after which the connection ends. */
const HANG_UP_MS = 2000
/** Milliseconds for the answers that are still to come where a caller asks for a tunnel. */
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
  /** The answer before it, where that was still to come: answers leave in the order of their requests. */
  before: ServerResponse | undefined
}

/** The newest request of each connection, and its answer. */
const newest = new WeakMap<Socket, Exchange>()

/** Requests whose body nobody reads: what it holds changes nothing of the answer. */
const unread = new WeakSet<IncomingMessage>()

/** Says that the answer to a request does not wait for its body. */
export function ignoreBody(request: IncomingMessage): void {
  unread.add(request)
}

/** Connections that end with an answer that is still to come. */
const ending = new WeakSet<Socket>()

/**
 * Answers a request that could not be parsed, after those before it. Where that is the body of one that
 * has its answer, or gets one without it, that answer is the last: a second one would be taken for the
 * next request's, and a refusal would deny what was done. So it is where a whole request still waits for
 * its answer.
 */
export function answerUnparsed(
  error: ParserError,
  socket: Socket,
  refusing: Refusing,
  allowed: Allowed,
): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  // Whatever else is sent there is read by nobody.
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

/** What a path answers to a method that no route has. */
function unrouted({ url }: Pick<Unrouted, 'url'>, allowed: Allowed): ApiError {
  const allow = allowed(url.split('?')[0] as string)
  if (allow === undefined) return new ApiError('ROUTE_NOT_FOUND')
  return new ApiError('METHOD_NOT_ALLOWED', { headers: { allow } })
}

function isToCome(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished
}

/**
 * Calls `end` once an answer has left. Nothing is read until then: what comes would count as activity, and
 * a caller who reads no answer would keep the connection by it.
 */
function endAfter(response: ServerResponse, socket: Socket, end: () => void): void {
  ending.add(socket)
  socket.pause()
  response.once('finish', () => {
    socket.resume()
    end()
  })
}

/** Tells a caller whose body took too long, where no answer has begun, and hangs up. */
export function hangUp(request: IncomingMessage, hasBegun: boolean, refusing: Refusing): void {
  const { socket } = request
  if (hasBegun || !socket.writable) socket.destroy()
  else endWith(socket, new ApiError('REQUEST_TIMEOUT'), request, refusing)
}

/** What Node answers by itself, with an empty body or not at all. */
export function answerOddRequests(
  app: FastifyInstance,
  refusing: Refusing,
  allowed: Allowed,
): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
    // The parser takes methods of RTSP where that is what a request says it is. No router knows them:
    // to a method that no route has each answers the same.
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
    // A tunnel leads to a host, which has no path and takes no method.
    const refusal = url.startsWith('/')
      ? unrouted({ url }, allowed)
      : new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: '' } })
    const refuse = () => endWith(socket, refusal, request, refusing)
    const before = newest.get(socket)?.response
    socket.resume()
    if (!isToCome(before)) return refuse()
    // From here on Node leaves the socket alone: it is nobody's to end, nor are its errors.
    socket.on('error', () => {})
    setTimeout(() => socket.destroy(), BEFORE_CONNECT_MS).unref()
    endAfter(before, socket, refuse)
  })
}

/** Sends the last answer of a connection, to a request whose headers came or to one of which nothing is known. */
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

/** A caller who does not hang up is cut off; one who has is no error. */
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
