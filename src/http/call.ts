import type { FastifyRequest } from 'fastify'
import type { Handle } from '../db/handle.ts'
import { type Language, languageOf } from '../messages/language.ts'

interface Parts<D, V, P, Q, B, F> {
  deps: D
  viewer: V
  params: P
  query: Q
  body: B
  /**
   * Bytes of the uploaded file. The stream ends when the whole body has arrived and is valid. Otherwise it
   * fails with an ApiError.
   */
  file: F
  now: number
  answerHeaders: Record<string, string>
}

/** Returns the client's address, or an empty string when the client has already disconnected. */
export function addressOf(request: FastifyRequest): string {
  // Fastify's type is wrong: `ip` is undefined after the client has disconnected.
  const { ip }: { ip?: string } = request
  return ip ?? ''
}

export class Call<D, V, P, Q, B, F> implements Parts<D, V, P, Q, B, F> {
  readonly deps: D
  /**
   * Database handle for this step of the handler. In `first`, it is the transaction of the Idempotency-Key, if
   * the request has one. It may be a read replica when an anonymous client requests a list.
   */
  readonly db: Handle
  readonly viewer: V
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly file: F
  readonly now: number
  readonly answerHeaders: Record<string, string>
  /** Client's address. Read when the call is created, because it is lost when the client disconnects. */
  readonly ip: string
  readonly #request: FastifyRequest

  constructor(request: FastifyRequest, db: Handle, parts: Parts<D, V, P, Q, B, F>) {
    const { deps, viewer, params, query, body, file, now, answerHeaders } = parts
    this.deps = deps
    this.db = db
    this.viewer = viewer
    this.params = params
    this.query = query
    this.body = body
    this.file = file
    this.now = now
    this.answerHeaders = answerHeaders
    this.ip = addressOf(request)
    this.#request = request
  }

  get isForwarded(): boolean {
    return this.#request.isForwarded
  }

  get language(): Language {
    const { headers, defaultLanguage } = this.#request
    return languageOf(headers['accept-language'], defaultLanguage)
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  /** UUID of the request, without the `req_` prefix. */
  get requestId(): string {
    return this.#request.id
  }

  /** Host and port of the Host header, which the client controls. */
  get host(): string {
    return this.#request.host
  }

  /** True when a trusted proxy reports that the client uses TLS. The server itself speaks only plain HTTP. */
  get isSecure(): boolean {
    return this.#request.protocol === 'https'
  }

  /** Returns a request header, or undefined when it is missing. `name` must be in lower case. */
  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent'] ?? null
  }
}
