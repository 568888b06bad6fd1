/** What a handler gets of a request. */
import type { FastifyRequest } from 'fastify'
import type { Handle } from '../db/handle.ts'
import { type Language, languageOf } from '../messages/language.ts'

interface Parts<D, Q, B, F> {
  deps: D
  /** Where to run statements: a transaction already, when the request has an Idempotency-Key. */
  db: Handle
  query: Q
  body: B
  /** Its bytes as they come: they end once all of the body was in order, else fail with an ApiError. */
  file: F
  now: number
  /** Headers of the answer, should the call succeed. */
  answerHeaders: Record<string, string>
}

/** The caller's address; empty where the caller had left already, since a socket without a peer has none. */
export function addressOf(request: FastifyRequest): string {
  // Fastify's type says that there always is one.
  const { ip }: { ip?: string } = request
  return ip ?? ''
}

/** What only few handlers ask for is looked up when they do. */
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
  /** Where the caller is, also once the caller has left. */
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

  /** Whether the headers alone are asked for. */
  get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  /** A UUID. */
  get requestId(): string {
    return this.#request.id
  }

  /** Name and port that the request was sent to: whatever the caller says they are. */
  get host(): string {
    return this.#request.host
  }

  /** Whether the caller, or a trusted proxy in front of it, speaks TLS. */
  get isSecure(): boolean {
    return this.#request.protocol === 'https'
  }

  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent'] ?? null
  }
}
