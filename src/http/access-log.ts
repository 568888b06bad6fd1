/** The access log: one line for each request, with the exact `meta.request_id` of its answer. */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorCode } from '../errors.ts'
import { metaId, type Origin } from './envelope.ts'

/** A request that was answered, or whose caller left before. */
export interface Answered {
  method: string
  /** The path as its route was declared; `none` where there is no such route. */
  route: string
  status: number
  code: ErrorCode | null
  seconds: number
}

/** A request that is refused below the framework; what could not be read of it is missing. */
export type RawRequest = Partial<Pick<IncomingMessage, 'headers' | 'method' | 'url'>>

/** Characters of a path that are logged. */
const PATH_LENGTH = 500
/** Signature of an address of the games origin: it opens the game for anyone who has it. */
const SIGNATURE = /\.[\w-]{43}(?=\/|$)/

export class AccessLog {
  readonly #log: Logger
  readonly #onAnswered: ((answered: Answered) => void) | undefined
  readonly #logsAll: boolean
  readonly #refused = new WeakSet<object>()

  constructor(log: Logger, onAnswered: ((answered: Answered) => void) | undefined) {
    this.#log = log
    this.#onAnswered = onAnswered
    this.#logsAll = log.isLevelEnabled('info')
  }

  /** Logs the request once its answer has left, or its client has. */
  watch(request: FastifyRequest, reply: FastifyReply): void {
    const before = bytesWritten(request)
    reply.raw.once('close', () => {
      const { method } = request
      const status = reply.statusCode
      this.#onAnswered?.({
        method,
        route: request.routeOptions.url ?? 'none',
        status,
        code: request.errorCode,
        seconds: reply.elapsedTime / 1000,
      })
      if (!(this.#logsAll || status >= 500) || this.#refused.has(request.raw)) return
      const line = {
        request_id: metaId(request.id),
        method,
        path: loggedPath(request.url),
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        bytes: bytesWritten(request) - before,
        user_id: request.viewer?.id,
        // The client left first.
        aborted: reply.raw.writableFinished ? undefined : true,
      }
      this.#write(line)
    })
  }

  /** Logs a request that is refused below the framework. */
  refuse({ requestId }: Origin, status: number, request: RawRequest | undefined): void {
    if (request) this.#refused.add(request)
    const { method, url } = request ?? {}
    this.#write({
      request_id: metaId(requestId),
      method,
      path: url === undefined ? undefined : loggedPath(url),
      status,
    })
  }

  #write(line: { request_id: string; status: number; [field: string]: unknown }): void {
    this.#log[line.status >= 500 ? 'error' : 'info'](line, `request: ${line.status}`)
  }
}

/** The path without its query and its signature, which are secrets. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(SIGNATURE, '.[secret]').slice(0, PATH_LENGTH)
}

/** Bytes that the connection of a request has sent; 0 for a request of this process itself. */
function bytesWritten({ raw }: FastifyRequest): number {
  const { socket }: { socket?: { bytesWritten?: number } } = raw
  return socket?.bytesWritten ?? 0
}
