import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError, type ErrorCode, ERRORS } from '../../errors.ts'
import type { Language } from '../../messages/language.ts'
import type { RawRequest } from '../access-log.ts'
import { failure, JSON_TYPE, type Origin, originOfRaw, standardHeaders } from '../envelope.ts'

export interface Refusing {
  now: () => number
  defaultLanguage: Language
  onRefused: (origin: Origin, status: number, request: RawRequest | undefined) => void
}

const HANG_UP_MS = 2000
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

const PARSER_CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** The previous response, if it is still pending. It must be sent first. */
  before: ServerResponse | undefined
}

const newest = new WeakMap<Socket, Exchange>()

const unread = new WeakSet<IncomingMessage>()

/** Marks a request whose body is ignored, so that invalid bytes in the body do not change its response. */
export function ignoreBody(request: IncomingMessage): void {
  unread.add(request)
}

/** Connections that close after a pending response. */
const ending = new WeakSet<Socket>()

/**
 * Responds with an error to bytes that could not be parsed, after the responses to earlier requests. Sends no
 * error, and closes the connection after a pending response, in two cases:
 * - The bytes belong to a body, and the response has started or does not depend on the body. The client would
 *   take the error for the response to its next request.
 * - The newest request is complete and still waits for its response.
 */
export function answerUnparsed(
  error: Error & { code?: string },
  socket: Socket,
  refusing: Refusing,
): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  if (ending.has(socket)) return
  if (!socket.writable) return void socket.destroy()
  const last = newest.get(socket)
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
      answerUnparsed(error, socket, refusing)
    })
  }
  const refusal = new ApiError(PARSER_CODES[error.code ?? ''] ?? 'BAD_REQUEST')
  endWith(socket, refusal, isBody ? last.request : undefined, refusing)
}

function isToCome(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished
}

/**
 * Calls `end` after the response has been sent. Until then, reading pauses: otherwise a client could keep the
 * connection open by sending.
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
 * Closes the connection of a client whose request body is late. Sends 408 first, unless a response has started.
 */
export function hangUp(request: IncomingMessage, hasBegun: boolean, refusing: Refusing): void {
  const { socket } = request
  if (hasBegun || !socket.writable) socket.destroy()
  else endWith(socket, new ApiError('REQUEST_TIMEOUT'), request, refusing)
}

/**
 * Records the newest request of each connection for `answerUnparsed`. Also passes requests with an unknown
 * method or an `Expect` header to Fastify, for responses in the JSON envelope.
 */
export function watchRequests(app: FastifyInstance): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
    // Node's parser accepts RTSP methods, which the router does not know. Handles them like TRACE, which no
    // route supports.
    if (!KNOWN_METHODS.has(request.method ?? '')) request.method = 'TRACE'
  })
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const before = newest.get(request.socket)?.response
    newest.set(request.socket, { request, response, before: isToCome(before) ? before : undefined })
  })
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
}

/** Sends an error and closes the connection. `request` is undefined when its headers could not be parsed. */
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

/** Sends `answer` and closes the connection. Destroys it after HANG_UP_MS if the client has not closed it. */
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
