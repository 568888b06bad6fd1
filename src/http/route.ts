/**
 * The only way to declare an endpoint. A declaration says who may call, what comes in, what goes
 * out and which errors are possible; from it come validation, serialisation and the OpenAPI
 * document. Checks run in the contract's order: 401, 403, 415, 413, 422, the thing's own 404, 409.
 */
import { hash } from 'node:crypto'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Db, Handle } from '../db/handle.ts'
import { isId, type Prefix } from '../db/ids.ts'
import { ApiError, type ErrorCode, invalid, type Problem } from '../errors.ts'
import { type Language, languageOf } from '../messages/language.ts'
import { admit, type AuthMode, bearerToken, type Viewer, type ViewerOf } from './auth.ts'
import { bodyReader, discard, readJsonText } from './body.ts'
import { corsHeaders } from './cors.ts'
import { JSON_TYPE, standardHeaders, successBody } from './envelope.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { queryReader } from './query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the plumbing needs; features extend it. */
export interface CoreDeps {
  db: Db
  clock: Clock
  corsOrigins: readonly string[]
  /** The person a token belongs to now, or undefined. */
  findViewer(token: string): Promise<Viewer | undefined>
  /** Runs an act at most once for each Idempotency-Key. */
  runOnce(request: KeyedRequest, run: (db: Handle) => Promise<Answer>): Promise<StoredAnswer>
  /** Counts a request. Throws 429 when the caller is over quota; returns headers that tell the quota. */
  checkQuota(caller: { viewer: Viewer | null; ip: string }): Promise<Record<string, string>>
}

export interface KeyedRequest {
  /** A user's or an API key's id. */
  caller: string
  /** Method and path. */
  route: string
  key: string
  /** Digest of query and body. */
  fingerprint: string
}

export interface Answer {
  status: number
  /** `data` as JSON; null for 204. */
  data: string | null
  /** `data` as it may be stored: raw secrets are null. */
  storedData: string | null
}

export interface StoredAnswer {
  status: number
  data: string | null
  replayed: boolean
}

/** A path parameter: an id that must have this form, or free text. Either fails with the thing's own 404. */
export type PathParam = { id: Prefix; missing: ErrorCode } | { text: true }

type ParamsOf<P> = { [K in keyof P]: string }
type StaticOf<S> = S extends TSchema ? Static<S> : undefined
/** Without a schema there is nothing to answer: 204. */
type AnswerOf<S> = S extends TSchema ? Static<S> : void

/** What a handler gets. */
export interface Call<D, A extends AuthMode, P, Q, B> {
  deps: D
  /** Where to run statements: a transaction already, when the request has an Idempotency-Key. */
  db: Handle
  viewer: ViewerOf<A>
  params: ParamsOf<P>
  query: StaticOf<Q>
  body: StaticOf<B>
  now: number
  language: Language
  /** A UUID. */
  requestId: string
  ip: string
  userAgent: string | null
}

export interface Declaration<
  D,
  A extends AuthMode,
  P extends Record<string, PathParam>,
  Q extends TObject | undefined,
  B extends TObject | undefined,
  R extends TSchema | undefined,
> {
  /** Unique: the operation id, and the name of the rule or query called. */
  id: string
  summary: string
  /** More than the summary, where a reader needs it. */
  description?: string
  /** Group in the reference. */
  tag: string
  auth: A
  params?: P
  query?: Q
  body?: B
  /** False where the body as a whole may be missing. */
  bodyRequired?: boolean
  /** An example of the body. */
  exampleBody?: NoInfer<StaticOf<B>>
  /** Fields whose white space is kept. */
  exactFields?: readonly string[]
  /** Adds what the schema cannot say. */
  refine?: (body: NoInfer<StaticOf<B>>, problems: Problem[]) => void
  /** Schema of `data`; without one the answer is 204. */
  data?: R
  /** An example of `data`. */
  example?: unknown
  /** 200 unless given; 204 without `data`. */
  status?: 200 | 201 | 202
  /** Errors beyond those the mode, body and query bring. */
  errors?: readonly ErrorCode[]
  /** Error that comes before the body is looked at, if any. */
  closed?: (deps: D) => ErrorCode | undefined
  /** Of a GET: `revalidate` (ETag) unless given; seconds for a short public cache; `private` never. */
  cache?: 'revalidate' | 'private' | number
  /** Fields of `data` that are shown once: null in a replay. */
  secretFields?: readonly string[]
  headers?: Record<string, string>
  deprecated?: boolean
  handler: (call: Call<D, A, P, Q, B>) => Promise<AnswerOf<R>> | AnswerOf<R>
}

/** A declaration whose types no longer matter: for the document and the tests that walk all routes. */
export type RouteRecord = Omit<
  Declaration<never, AuthMode, Record<string, PathParam>, TObject, TObject, TSchema>,
  'handler' | 'refine' | 'closed'
> & { method: Method; path: string }

const PREFIX = '/api/v1'
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

export class Api<D extends CoreDeps> {
  readonly deps: D
  readonly #app: FastifyInstance
  readonly #routes: RouteRecord[]

  /** Each declaration becomes a route of `app` and a line in `routes`. */
  constructor(app: FastifyInstance, deps: D, routes: RouteRecord[]) {
    this.#app = app
    this.deps = deps
    this.#routes = routes
  }

  get get() {
    return this.#method('GET')
  }
  get post() {
    return this.#method('POST')
  }
  get put() {
    return this.#method('PUT')
  }
  get patch() {
    return this.#method('PATCH')
  }
  get delete() {
    return this.#method('DELETE')
  }

  /** `path` is below the version prefix, or whole when it starts with `/api/`. */
  #method(method: Method) {
    return <
      A extends AuthMode,
      const P extends Record<string, PathParam> = Record<never, never>,
      Q extends TObject | undefined = undefined,
      B extends TObject | undefined = undefined,
      R extends TSchema | undefined = undefined,
    >(
      path: string,
      declaration: Declaration<D, A, P, Q, B, R>,
    ): void => {
      const url = path.startsWith('/api/') ? path : PREFIX + path
      this.#routes.push({ ...declaration, method, path: url })
      this.#register(method, url, declaration as unknown as AnyDeclaration<D>)
    }
  }

  #register(method: Method, url: string, route: AnyDeclaration<D>): void {
    const run = handlerOf(this.deps, method, route)
    const { auth } = route
    this.#app.route({
      method,
      url,
      config: { takesBody: route.body !== undefined },
      onRequest: async (request, reply) => {
        const viewer = auth === 'public' ? undefined : await this.#findViewer(request)
        // Before anybody is turned away, so that refusals count and tell the quota too.
        reply.headers(await this.deps.checkQuota({ viewer: viewer ?? null, ip: request.ip }))
        if (auth !== 'public') request.viewer = admit(auth, viewer)
      },
      handler: run,
    })
  }

  async #findViewer(request: FastifyRequest): Promise<Viewer | undefined> {
    const token = bearerToken(request.headers.authorization)
    return token === undefined ? undefined : this.deps.findViewer(token)
  }
}

type AnyDeclaration<D> = Declaration<
  D,
  AuthMode,
  Record<string, PathParam>,
  TObject,
  TObject,
  TSchema
>

function handlerOf<D extends CoreDeps>(deps: D, method: Method, route: AnyDeclaration<D>) {
  const readQuery = route.query && queryReader(route.query)
  const readBody =
    route.body &&
    bodyReader(route.body, {
      required: route.bodyRequired !== false,
      exact: route.exactFields,
      refine: route.refine,
    })
  const paramChecks = Object.entries(route.params ?? {})
  const status = route.data ? (route.status ?? 200) : 204
  let serialise: ((data: unknown) => string) | undefined
  const toJson = (data: unknown): string | null => {
    if (!route.data) return null
    serialise ??= fastJson(route.data as never)
    return serialise(data)
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const now = deps.clock.now()
    const closed = route.closed?.(deps)
    if (closed) {
      discard(request.raw)
      throw new ApiError(closed)
    }
    const text = readBody ? await readJsonText(request.raw) : undefined
    const query = readQuery?.(request.query as Record<string, unknown>)
    const body = readBody?.(text)
    const key = method === 'POST' && request.viewer ? idempotencyKey(request) : undefined
    const params = request.params as Record<string, string>
    for (const [name, check] of paramChecks) {
      if ('id' in check && !isId(check.id, params[name] as string))
        throw new ApiError(check.missing)
    }
    const call = (db: Handle) => ({
      deps,
      db,
      viewer: request.viewer as never,
      params: params as never,
      query: query as never,
      body: body as never,
      now,
      language: languageOf(request.headers['accept-language']),
      requestId: request.id,
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    })
    if (key === undefined) {
      const data = toJson(await route.handler(call(deps.db)))
      return send(deps, request, reply, { status, data, route })
    }
    const keyed = {
      caller: (request.viewer as Viewer).id,
      route: `${method} ${request.url.split('?')[0]}`,
      key,
      fingerprint: hash('sha256', `${request.url}\n${text ?? ''}`, 'base64url'),
    }
    const answer = await deps.runOnce(keyed, async (db) => {
      const result = await route.handler(call(db))
      const secrets = Object.fromEntries((route.secretFields ?? []).map((name) => [name, null]))
      const stored = route.secretFields ? { ...(result as object), ...secrets } : result
      return {
        status,
        data: toJson(result),
        storedData: route.data && route.secretFields ? JSON.stringify(stored) : toJson(stored),
      }
    })
    if (answer.replayed) reply.header('idempotent-replayed', 'true')
    return send(deps, request, reply, { ...answer, route })
  }
}

/** The key of a request, bare or quoted (draft-ietf-httpapi-idempotency-key-header-07). */
function idempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = String(header)
    .trim()
    .replace(/^"(.*)"$/, '$1')
  if (!IDEMPOTENCY_KEY.test(key)) throw invalid('Idempotency-Key', 'invalid.idempotency_key_form')
  return key
}

interface Outgoing<D> {
  status: number
  data: string | null
  route: AnyDeclaration<D>
}

function send<D extends CoreDeps>(
  deps: D,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, data, route }: Outgoing<D>,
): FastifyReply {
  const now = deps.clock.now()
  const origin = {
    requestId: request.id,
    language: languageOf(request.headers['accept-language']),
  }
  reply
    .code(status)
    .headers(standardHeaders(origin, now))
    .headers(corsHeaders(request.headers.origin, deps.corsOrigins))
  if (route.headers) reply.headers(route.headers)
  reply.header('vary', 'Accept-Language, Authorization, Origin')
  if (data === null) return reply.header('cache-control', 'private, no-store').send()
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  const shared = isGet && !request.viewer && route.auth !== 'user' && route.cache !== 'private'
  if (shared) {
    const etag = etagOf(data)
    reply.header('etag', etag).header('cache-control', sharedCache(route.cache))
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  } else {
    reply.header('cache-control', 'private, no-store')
  }
  return reply.header('content-type', JSON_TYPE).send(successBody(data, request.id, now))
}

function sharedCache(cache: 'revalidate' | 'private' | number | undefined): string {
  return typeof cache === 'number' ? `public, max-age=${cache}` : 'public, no-cache'
}
