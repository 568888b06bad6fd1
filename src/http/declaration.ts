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

/** Dependencies of the HTTP layer; features extend them. */
export interface CoreDeps {
  load: Load
  db: Db
  /**
   * Runs reads that may be a few seconds stale on a replica. Undefined when no replica is configured.
   */
  replica: { read<T>(read: (db: Handle) => Promise<T>): Promise<T> } | undefined
  clock: Clock
  corsOrigins: readonly string[]
  /** Returns the current owner of a token, or undefined. */
  findViewer(token: string): Promise<SessionHolder | undefined>
  /** Returns the user that an API key currently acts for, or undefined. */
  findKeyHolder(rawKey: string): Promise<KeyHolder | undefined>
  /** Runs a request at most once for each Idempotency-Key. */
  runOnce(request: KeyedRequest, run: (db: Handle) => Promise<Answer>): Promise<StoredAnswer>
  /**
   * Counts a request against the caller's quota and returns the quota headers. Throws 429 when the
   * caller is over quota. Undefined when quotas are off.
   */
  checkQuota:
    | ((caller: { viewer: Viewer | undefined; ip: string }) => Promise<Record<string, string>>)
    | undefined
}

export interface KeyedRequest {
  /** Id of the user or of the API key. */
  caller: string
  /** Method and path. */
  route: string
  key: string
  /** Digest of the query and the body. */
  fingerprint: string
}

export interface Answer {
  status: number
  /** `data` as JSON; null for 204. */
  data: string | null
  /** `data` without raw secrets, which are null. Only this form may be stored. */
  storedData: string | null
}

export interface StoredAnswer {
  status: number
  data: string | null
  replayed: boolean
}

/**
 * A path parameter: an id of this form, or free text. An invalid value fails with the 404 of the
 * resource. `byRule` leaves the check to the rule, when an error in the body takes precedence.
 */
export type PathParam = { id: Prefix; missing: ErrorCode; byRule?: true } | { text: true }

type ParamsOf<P> = { [K in keyof P]: string }
type StaticOf<S> = S extends TSchema ? Static<S> : undefined
/** Without a schema the handler returns nothing and the response is 204. */
type AnswerOf<S> = S extends TSchema ? Static<S> : void

/** A file sent as a field of a multipart/form-data body. */
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
   * Unique operation id: a verb and a noun (`getContent`, `listComments`, `markNotificationRead`). It is the name
   * of the rule that is called. The SDK derives its method from it and from the tag.
   */
  id: string
  summary: string
  /** Details that do not fit into the summary. */
  description?: string
  /** Group in the API reference and in the SDK. */
  tag: string
  auth: A
  params?: P
  query?: Q
  /** Adds checks that the schema of the query cannot express. */
  refineQuery?: (query: NoInfer<Partial<StaticOf<Q>>>, problems: Problem[]) => void
  /**
   * For routes that need no session in general: true when this query needs one. The 401 comes before
   * 422.
   */
  needsSession?: (query: NoInfer<Partial<StaticOf<Q>>>) => boolean
  body?: B
  /** False when the body may be missing entirely. */
  bodyRequired?: boolean
  exampleBody?: NoInfer<StaticOf<B>>
  /** Fields whose surrounding white space is kept. */
  exactFields?: readonly string[]
  /** Accepts a file instead of a JSON body. Such a route ignores the Idempotency-Key. */
  file?: F
  /** Adds checks that the schema of the body cannot express. */
  refine?: (body: NoInfer<StaticOf<B>>, problems: Problem[]) => void
  /** Schema of `data`. Without one the response is 204. */
  data?: R
  example?: unknown
  /** 200 by default; 204 without `data`. */
  status?: 200 | 201 | 202
  /** Error codes in addition to those implied by the mode, the body and the query. */
  errors?: readonly ErrorCode[]
  /** Returns an error to send before the body is read, or undefined. */
  closed?: (deps: D, viewer: ViewerOf<A>) => ErrorCode | undefined
  /**
   * Caching of a GET: `revalidate` (default) sends an ETag, a number is the seconds of a public cache,
   * and `private` forbids caching.
   */
  cache?: 'revalidate' | 'private' | number
  /**
   * For a GET without side effects. Anonymous callers may read from a replica that is a few seconds
   * behind. Callers with credentials always see their own writes.
   */
  reads?: 'replica'
  /** Fields of `data` that are shown only once. They are null in a replayed response. */
  secretFields?: readonly string[]
  /** Path of the route that replaces this one. Setting it marks this route as deprecated. */
  successor?: string
  /** False when calls count towards no quota and are served even when the server is overloaded. */
  metered?: boolean
  handler: (call: CallOf<D, A, P, Q, B, F>) => Promise<AnswerOf<R>> | AnswerOf<R>
  /**
   * Runs after the handler's transaction has ended, for example to send a request to another server.
   * Returns the response data in place of the handler's. It also runs for a replay and must then have
   * no second effect.
   */
  complete?: (
    call: CallOf<D, A, P, Q, B, F>,
    data: NoInfer<AnswerOf<R>>,
    isReplay: boolean,
  ) => Promise<NoInfer<AnswerOf<R>>>
}

/**
 * A declaration without its generic types, used by the OpenAPI document and by tests that walk all
 * routes.
 */
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

/** A declaration of any types, as the HTTP layer handles it. */
export type AnyDeclaration<D> = Declaration<
  D,
  AuthMode,
  Record<string, PathParam>,
  TObject,
  TObject,
  TSchema,
  FileField<D>
>
