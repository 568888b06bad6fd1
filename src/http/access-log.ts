import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorCode } from '../errors.ts'
import { metaId, type Origin } from './envelope.ts'

export interface Answered {
  method: string
  /** Path pattern of the route, with parameters such as `:id`, or `none` when no route matched. */
  route: string
  status: number
  code: ErrorCode | null
  seconds: number
}

/** A request that was rejected before it reached Fastify. Fields that could not be parsed are missing. */
export type RawRequest = Partial<Pick<IncomingMessage, 'headers' | 'method' | 'url'>>

const PATH_LENGTH = 500
/** Signature in a games-origin URL. It must not be logged, because anyone who has it can open the game. */
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

  /**
   * When the response has been sent or the connection has closed, logs the request and calls `onAnswered`. If
   * the log level excludes `info`, logs only faults (`isFault`). Does not log a request again that `refuse` has
   * logged.
   */
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
      if (!(this.#logsAll || isFault(status)) || this.#refused.has(request.raw)) return
      const line = {
        request_id: metaId(request.id),
        method,
        path: loggedPath(request.url),
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        bytes: bytesWritten(request) - before,
        user_id: request.viewer?.id,
        aborted: reply.raw.writableFinished ? undefined : true,
      }
      this.#write(line)
    })
  }

  /** Logs a request that was rejected before it reached Fastify. */
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
    this.#log[isFault(line.status) ? 'error' : 'info'](line, `request: ${line.status}`)
  }
}

/**
 * True for a status that is logged as an error: 5xx except 501, which is a documented response of some routes.
 */
function isFault(status: number): boolean {
  return status >= 500 && status !== 501
}

/**
 * Returns the path of a URL for the log, cut to PATH_LENGTH characters. Drops the query and replaces a
 * signature, because both can contain secrets.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(SIGNATURE, '.[secret]').slice(0, PATH_LENGTH)
}

/** Returns the bytes sent on the request's connection so far, or 0 for an in-process request. */
function bytesWritten({ raw }: FastifyRequest): number {
  const { socket }: { socket?: { bytesWritten?: number } } = raw
  return socket?.bytesWritten ?? 0
}
