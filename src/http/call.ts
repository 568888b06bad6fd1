/** The request as its handler sees it. */
import type { FastifyRequest } from 'fastify'
import type { Handle } from '../db/handle.ts'
import { type Language, languageOf } from '../messages/language.ts'

interface Parts<D, Q, B, F> {
  deps: D
  /**
   * Database handle for the handler's statements; a transaction when the request has an
   * Idempotency-Key.
   */
  db: Handle
  query: Q
  body: B
  /**
   * The bytes of the uploaded file as they arrive. The stream ends after the whole body was valid, else
   * it fails with an ApiError.
   */
  file: F
  now: number
  /** Headers added to a successful response. */
  answerHeaders: Record<string, string>
}

/** The client's address; empty when the client has already disconnected. */
export function addressOf(request: FastifyRequest): string {
  // Fastify's type is wrong: `ip` is undefined once the socket has no peer.
  const { ip }: { ip?: string } = request
  return ip ?? ''
}

/** One call of a handler. Rarely used values are getters, computed on access. */
export class Call<D, V, P, Q, B, F> implements Parts<D, Q, B, F> {
  readonly deps: D
  readonly db: Handle
  readonly viewer: V
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly file: F
  readonly now: number
  readonly answerHeaders: Record<string, string>
  /** The client's address, stored at the start because it is lost when the client disconnects. */
  readonly ip: string
  readonly #request: FastifyRequest

  constructor(request: FastifyRequest, parts: Parts<D, Q, B, F>) {
    const { deps, db, query, body, file, now, answerHeaders } = parts
    this.deps = deps
    this.db = db
    this.viewer = request.viewer as V
    this.params = request.params as P
    this.query = query
    this.body = body
    this.file = file
    this.now = now
    this.answerHeaders = answerHeaders
    this.ip = addressOf(request)
    this.#request = request
  }

  /** True when an untrusted proxy claims to forward this request. */
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

  /** The request's UUID, without the `req_` prefix. */
  get requestId(): string {
    return this.#request.id
  }

  /** Host and port from the request. The client controls this value. */
  get host(): string {
    return this.#request.host
  }

  /** True when the client, or a trusted proxy in front of it, uses TLS. */
  get isSecure(): boolean {
    return this.#request.protocol === 'https'
  }

  /** Returns a header of the request by its lower-case name. */
  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent'] ?? null
  }
}
