import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Db, Handle } from '../db/handle.ts'
import type { Prefix } from '../db/ids.ts'
import type { ErrorCode, Problem } from '../errors.ts'
import type { AuthMode, KeyHolder, SessionHolder, Viewer, ViewerOf } from './auth.ts'
import type { Call } from './call.ts'
import type { Load } from './server/load.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface CoreDeps {
  load: Load
  db: Db
  /** Read replica, for reads whose data may be a few seconds old. Undefined when no replica is configured. */
  replica: { read<T>(read: (db: Handle) => Promise<T>): Promise<T> } | undefined
  clock: Clock
  corsOrigins: readonly string[]
  findViewer(token: string): Promise<SessionHolder | undefined>
  findKeyHolder(rawKey: string): Promise<KeyHolder | undefined>
  /** Runs a request once for each caller, route and Idempotency-Key. Later calls replay the stored response. */
  runOnce(request: KeyedRequest, run: (db: Handle) => Promise<Answer>): Promise<StoredAnswer>
  /**
   * Counts a request against the caller's quota and returns the quota headers. Errors: 429. Undefined when
   * quotas are switched off.
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
  /**
   * URL (with the query) and body. Only a keyed hash may be stored, because the body can contain a password.
   */
  content: string
}

export interface Answer {
  status: number
  /** Data of the response as JSON text; null for 204. */
  data: string | null
  /** Data of the response with null in place of secrets. Only this form may be stored. */
  storedData: string | null
}

export interface StoredAnswer {
  status: number
  data: string | null
  replayed: boolean
}

/**
 * A path parameter: free text, or an id with this prefix.
 * - `missing`: error for an invalid id, the 404 of the resource.
 * - `byRule`: the handler checks the id instead, so that other errors can come first.
 * - `only`: users who can access the resource, if fewer than `auth` admits. Others get the error `missing`.
 */
export type PathParam =
  | {
      id: Prefix
      missing: ErrorCode
      byRule?: true
      only?: 'owner' | 'owner-or-staff' | 'participants'
    }
  | { text: true }

type ParamsOf<P> = { [K in keyof P]: string }
type StaticOf<S> = S extends TSchema ? Static<S> : undefined
type AnswerOf<S> = S extends TSchema ? Static<S> : void

/** A multipart/form-data body with one file. */
export interface FileBody<D> {
  field: string
  description: string
  maxBytes(deps: D): number
}

export type Auth<D, A extends AuthMode, Q> =
  | A
  | {
      mode: A
      /**
       * Returns an error code to reject a request, or undefined. Called before the body is read and before
       * invalid fields are reported, so `query` contains only the valid values.
       */
      refuse?(request: Asked<D, A, Q>): Refusal | Promise<Refusal>
      /** Requests count towards no quota, and are served even when the server is overloaded. */
      always?: true
    }

type Refusal = ErrorCode | undefined

interface Asked<D, A extends AuthMode, Q> {
  deps: D
  client: { ip: string; isForwarded: boolean }
  now: number
  viewer: ViewerOf<A>
  query: Partial<StaticOf<Q>>
}

/** A handler returns an `Alternative` to send its data with the second of the route's two statuses. */
export class Alternative<T> {
  readonly data: T
  constructor(data: T) {
    this.data = data
  }
}

/**
 * Handler of a route. Type parameters:
 * - `C`: the call.
 * - `T`: the data of the response.
 * - `O`: the data of an alternative response.
 * - `W`: the result of `before`.
 */
export type Handler<C, T, O = never, W = unknown> =
  | ((call: C) => Promise<T | Alternative<O>> | T | Alternative<O>)
  | {
      /**
       * Returns problems of the body that depend on stored settings. Called only when the body has other
       * problems, so that one 422 reports all of them. `first` must make the same checks.
       */
      moreProblems?(
        deps: C extends { deps: infer D } ? D : never,
        sent: Record<string, unknown>,
      ): Promise<Problem[]>
      /**
       * Runs before the transaction of an Idempotency-Key. When it fails, `first` does not run. Password checks
       * belong here: they take long, and a rollback must not undo the count of failures.
       */
      before?(call: C): Promise<W>
      /**
       * Runs in the transaction of the Idempotency-Key, if the request has one. `proof` is the result of
       * `before`.
       */
      first(call: C, proof: NoInfer<W>): Promise<T | Alternative<O>> | T | Alternative<O>
      /**
       * Runs after the transaction of `first`, unless the response is a 204. Its result replaces the result of
       * `first`. It also runs when a stored response is replayed, so a second run must have no effect.
       */
      then?(call: C, data: NoInfer<T>, isReplay: boolean): Promise<NoInfer<T>>
    }

type Status = 200 | 201 | 202

interface Waiting<O> {
  status: 202
  data: O
  example: unknown
}

export interface Declaration<
  D,
  A extends AuthMode,
  P extends Record<string, PathParam>,
  Q extends TObject | undefined,
  B extends TSchema | FileBody<D> | undefined,
  R extends TSchema | undefined,
  O extends TSchema | undefined = undefined,
  W = unknown,
> {
  /**
   * Operation id: verb and noun of the function that the handler calls. With the tag it determines the SDK
   * method's name.
   */
  id: string
  summary: string
  description?: string
  tag: string
  auth: Auth<D, A, Q>
  params?: P
  query?: Q
  /**
   * Schema of a JSON object with `examples`, or a file. Use `Type.Optional` if the body may be missing. Routes
   * with a file ignore the Idempotency-Key.
   */
  body?: B
  /** Schema of `data`. Without it the response is 204. */
  data?: R
  example?: unknown
  /**
   * Status of successful responses. Default: 200, or 204 without `data`. The second status, if any, is for an
   * `Alternative`: 200 for an existing resource, or 202 for a request that waits for a decision.
   */
  status?: Status | readonly [Status, 200 | Waiting<O>]
  /** Error codes besides those that `auth`, `body` and `query` imply. */
  errors?: readonly ErrorCode[]
  /**
   * Caching of GET responses to requests without a viewer, on routes with `auth` `public` or `optional`:
   * - `revalidate` (default): caches must revalidate them by ETag.
   * - a number: caches may use them for this many seconds.
   * - `private`: they are not stored and have no ETag.
   */
  cache?: 'revalidate' | 'private' | number
  /**
   * Database indexes that the queries of a list route use. With `indexes`, requests without a viewer may read
   * from a replica, unless `cache` is `private`.
   */
  indexes?: readonly string[]
  handler: Handler<
    Call<
      D,
      ViewerOf<A>,
      ParamsOf<P>,
      StaticOf<Q>,
      StaticOf<B>,
      B extends FileBody<D> ? Readable : undefined
    >,
    AnswerOf<R>,
    O extends TSchema ? Static<O> : AnswerOf<R>,
    W
  >
}

// oxlint-disable-next-line typescript/no-explicit-any
type Any = any

export interface AnyDeclaration<D>
  extends Omit<
    Declaration<D, AuthMode, Record<string, PathParam>, TObject, TSchema, TSchema, TSchema>,
    'auth' | 'body' | 'status' | 'handler'
  > {
  auth: Auth<Any, AuthMode, Any>
  body?: TSchema | FileBody<D> | undefined
  status?: Status | readonly [Status, 200 | Waiting<TSchema | undefined>]
  handler: Handler<Call<D, Any, Any, Any, Any, Any>, Any, Any, Any>
}

/** Declaration of a registered route, without its handler. */
export interface RouteRecord extends Omit<AnyDeclaration<never>, 'auth' | 'body' | 'handler'> {
  method: Method
  path: string
  auth: AuthMode
  body?: TSchema | undefined
  file?: FileBody<never> | undefined
  /** Path of a deprecated route's replacement. */
  successor?: string | undefined
}

/** True for writes that EMAIL_VERIFICATION=required allows only to users with a verified address. */
export function needsVerifiedEmail(route: Pick<RouteRecord, 'method' | 'auth' | 'path'>): boolean {
  return (
    route.method !== 'GET' && route.auth !== 'public' && !route.path.startsWith('/api/v1/auth/')
  )
}

/** True when shared caches may store responses to requests without a viewer. */
export function isShared({ method, auth, cache }: RouteRecord): boolean {
  return method === 'GET' && (auth === 'public' || auth === 'optional') && cache !== 'private'
}

/**
 * Returns the first status (204 without data) and the alternative response, if there is one. An alternative
 * without its own data has the data of the route.
 */
export function statusesOf({ status = 200, data, example }: RouteRecord) {
  const [first, second] = typeof status === 'number' ? [status] : status
  const own =
    typeof second === 'object' && second.data ? { ...second, data: second.data } : undefined
  const alternative = own ?? (second === 200 && data ? { status: 200, data, example } : undefined)
  return { status: data ? first : 204, alternative }
}
