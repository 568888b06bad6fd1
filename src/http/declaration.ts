/** Type of an endpoint's declaration: authentication, input, output and errors. */
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Db, Handle } from '../db/handle.ts'
import type { Prefix } from '../db/ids.ts'
import type { ErrorCode, Problem } from '../errors.ts'
import type { AuthMode, KeyHolder, SessionHolder, Viewer, ViewerOf } from './auth.ts'
import type { Call } from './call.ts'
import type { Load } from './load.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Dependencies of the HTTP layer. */
export interface CoreDeps {
  load: Load
  db: Db
  /** Runs reads whose data may be a few seconds old. Undefined when no replica is configured. */
  replica: { read<T>(read: (db: Handle) => Promise<T>): Promise<T> } | undefined
  clock: Clock
  corsOrigins: readonly string[]
  /** Returns the user of a valid access token, or undefined. */
  findViewer(token: string): Promise<SessionHolder | undefined>
  /** Returns the user of a valid API key, or undefined. */
  findKeyHolder(rawKey: string): Promise<KeyHolder | undefined>
  /** Runs a request at most once per Idempotency-Key and replays the stored response afterwards. */
  runOnce(request: KeyedRequest, run: (db: Handle) => Promise<Answer>): Promise<StoredAnswer>
  /**
   * Counts a request against the caller's quota and returns the quota headers. Throws 429 when the quota is
   * exceeded. Undefined when quotas are switched off.
   */
  checkQuota:
    | ((caller: { viewer: Viewer | undefined; ip: string }) => Promise<Record<string, string>>)
    | undefined
}

export interface KeyedRequest {
  /** Id of the user, or of the API key when one is used. */
  caller: string
  /** Method and path. */
  route: string
  key: string
  /** SHA-256 of the URL and the body. */
  fingerprint: string
}

export interface Answer {
  status: number
  /** `data` as JSON text; null for 204. */
  data: string | null
  /** `data` in which secrets are null. Only this form may be stored. */
  storedData: string | null
}

export interface StoredAnswer {
  status: number
  data: string | null
  replayed: boolean
}

/**
 * A path parameter: an id with this prefix, or free text. For an invalid id the response is the resource's
 * 404 (`missing`). With `byRule` the handler checks the id, because errors in the body come first.
 */
export type PathParam = { id: Prefix; missing: ErrorCode; byRule?: true } | { text: true }

type ParamsOf<P> = { [K in keyof P]: string }
type StaticOf<S> = S extends TSchema ? Static<S> : undefined
/** Result of the handler: void when the route has no response schema and returns 204. */
type AnswerOf<S> = S extends TSchema ? Static<S> : void

/** The file field of a multipart/form-data body. */
export interface FileField<D> {
  name: string
  description: string
  maxBytes: (deps: D) => number
}

type CallOf<D, A extends AuthMode, P, Q, B, F> = Call<
  D,
  ViewerOf<A>,
  ParamsOf<P>,
  StaticOf<Q>,
  StaticOf<B>,
  F extends object ? Readable : undefined
>

export interface Declaration<
  D,
  A extends AuthMode,
  P extends Record<string, PathParam>,
  Q extends TObject | undefined,
  B extends TObject | undefined,
  R extends TSchema | undefined,
  F extends FileField<D> | undefined = undefined,
> {
  /**
   * Unique operation id: a verb and a noun (`getContent`, `listComments`, `markNotificationRead`). Same name
   * as the rule that the handler calls. The name of the SDK method is derived from it and from the tag.
   */
  id: string
  summary: string
  /** Text for the API reference, in addition to the summary. */
  description?: string
  /** Group of the operation in the API reference and the SDK. */
  tag: string
  auth: A
  params?: P
  query?: Q
  /** Adds checks that the query schema cannot express. */
  refineQuery?: (query: NoInfer<Partial<StaticOf<Q>>>, problems: Problem[]) => void
  /** True when this query requires a session on a route that otherwise needs none. The 401 precedes 422. */
  needsSession?: (query: NoInfer<Partial<StaticOf<Q>>>) => boolean
  body?: B
  /** False when the body is optional. */
  bodyRequired?: boolean
  exampleBody?: NoInfer<StaticOf<B>>
  /** Fields that keep their surrounding white space. */
  exactFields?: readonly string[]
  /** Expects a file instead of a JSON body. Routes with a file ignore the Idempotency-Key. */
  file?: F
  /** Adds checks that the body schema cannot express. */
  refine?: (body: NoInfer<StaticOf<B>>, problems: Problem[]) => void
  /** Schema of `data`. Without it the response is 204. */
  data?: R
  example?: unknown
  /** Default: 200, or 204 without `data`. */
  status?: 200 | 201 | 202
  /** Error codes besides those that `auth`, `body` and `query` imply. */
  errors?: readonly ErrorCode[]
  /** Returns an error code to reject the request before its body is read, or undefined to continue. */
  closed?: (deps: D, viewer: ViewerOf<A>) => ErrorCode | undefined
  /**
   * Caching of a GET response. `revalidate` (default) sends an ETag, a number sets `max-age` for public
   * caches, and `private` forbids caching.
   */
  cache?: 'revalidate' | 'private' | number
  /**
   * Allows anonymous callers to read from a replica, whose data may be a few seconds old. Only for GET
   * without side effects. Callers with credentials read from the primary and so see their own writes.
   */
  reads?: 'replica'
  /** Fields of `data` that are returned only once. A replayed response contains null instead. */
  secretFields?: readonly string[]
  /** Path of the replacement. Set only for deprecated routes. */
  successor?: string
  /** False for routes that count towards no quota and that an overloaded server still serves. */
  metered?: boolean
  handler: (call: CallOf<D, A, P, Q, B, F>) => Promise<AnswerOf<R>> | AnswerOf<R>
  /**
   * Runs after the handler's transaction, for example to send a request to another server. Its result
   * replaces the handler's result in the response. Replays run it too, so it must have no effect the second
   * time.
   */
  complete?: (
    call: CallOf<D, A, P, Q, B, F>,
    data: NoInfer<AnswerOf<R>>,
    isReplay: boolean,
  ) => Promise<NoInfer<AnswerOf<R>>>
}

/** A declaration without type parameters. The OpenAPI document and the tests use it to list all routes. */
export type RouteRecord = Omit<
  Declaration<
    never,
    AuthMode,
    Record<string, PathParam>,
    TObject,
    TObject,
    TSchema,
    FileField<never>
  >,
  'handler' | 'complete' | 'refine' | 'refineQuery' | 'needsSession' | 'closed'
> & { method: Method; path: string }

/** A declaration with any types, as the HTTP layer uses it. */
export type AnyDeclaration<D> = Declaration<
  D,
  AuthMode,
  Record<string, PathParam>,
  TObject,
  TObject,
  TSchema,
  FileField<D>
>
