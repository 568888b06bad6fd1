/** Type of an endpoint's declaration: authentication, input, output and errors. */
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Db, Handle } from '../db/handle.ts'
import type { Prefix } from '../db/ids.ts'
import type { ErrorCode } from '../errors.ts'
import type { AuthMode, KeyHolder, SessionHolder, Viewer, ViewerOf } from './auth.ts'
import type { Call } from './call.ts'
import type { Load } from './server/load.ts'

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
 * 404 (`missing`). With `byRule` the handler checks the id, because errors in the body come first. `only` says
 * who may use the resource, if not everyone that `auth` admits. For others the rule answers with the same 404.
 */
export type PathParam =
  | { id: Prefix; missing: ErrorCode; byRule?: true; only?: 'owner' | 'participants' }
  | { text: true }

type ParamsOf<P> = { [K in keyof P]: string }
type StaticOf<S> = S extends TSchema ? Static<S> : undefined
/** Result of the handler: void when the route has no response schema and returns 204. */
type AnswerOf<S> = S extends TSchema ? Static<S> : void

/** A multipart/form-data body with one file. */
export interface FileBody<D> {
  /** Name of the form field that contains the file. */
  field: string
  description: string
  maxBytes(deps: D): number
}

/** Who may call a route. The object form adds conditions to the mode. */
export type Auth<D, A extends AuthMode, Q> =
  | A
  | {
      mode: A
      /**
       * Returns an error code to reject the request before its body is read, or undefined to continue.
       * `query` contains only valid values, and the error precedes 422.
       */
      refuse?(request: Asked<D, A, Q>): ErrorCode | undefined
      /** Counts towards no quota, and is served even when the server is overloaded. */
      always?: true
    }

interface Asked<D, A extends AuthMode, Q> {
  deps: D
  viewer: ViewerOf<A>
  query: Partial<StaticOf<Q>>
}

/** Handles a call, or handles it in two steps. */
export type Handler<C, T> =
  | ((call: C) => Promise<T> | T)
  | {
      /** Runs in the transaction of the Idempotency-Key, if the request has one. */
      first(call: C): Promise<T> | T
      /**
       * Runs after the transaction, for example to send a request to another server. Its result replaces
       * that of `first` in the response. Replays run it too, so it must have no effect the second time.
       */
      then(call: C, data: NoInfer<T>, isReplay: boolean): Promise<NoInfer<T>>
    }

export interface Declaration<
  D,
  A extends AuthMode,
  P extends Record<string, PathParam>,
  Q extends TObject | undefined,
  B extends TSchema | FileBody<D> | undefined,
  R extends TSchema | undefined,
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
  auth: Auth<D, A, Q>
  params?: P
  query?: Q
  /**
   * A JSON object with an example (`examples`), optional with `Type.Optional`; or a file. Routes with a file
   * ignore the Idempotency-Key.
   */
  body?: B
  /** Schema of `data`. Without it the response is 204. */
  data?: R
  example?: unknown
  /** Default: 200, or 204 without `data`. */
  status?: 200 | 201 | 202
  /** Error codes besides those that `auth`, `body` and `query` imply. */
  errors?: readonly ErrorCode[]
  /**
   * Caching of a GET response. `revalidate` (default) sends an ETag, a number sets `max-age` for public
   * caches, and `private` forbids caching.
   */
  cache?: 'revalidate' | 'private' | number
  /**
   * Indexes that the queries of a list read. A list has no side effects. Anonymous callers of a public list
   * may read from a replica, whose data may be a few seconds old.
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
    AnswerOf<R>
  >
}

// The HTTP layer does not know the types of one route.
// oxlint-disable-next-line typescript/no-explicit-any
type Any = any

/** A declaration with any types, as the HTTP layer uses it. */
export interface AnyDeclaration<D>
  extends Omit<
    Declaration<D, AuthMode, Record<string, PathParam>, TObject, TSchema, TSchema>,
    'auth' | 'body' | 'handler'
  > {
  auth: Auth<Any, AuthMode, Any>
  body?: TSchema | FileBody<D> | undefined
  handler: Handler<Call<D, Any, Any, Any, Any, Any>, Any>
}

/** A registered route. The OpenAPI document and the tests use it to list all routes. */
export interface RouteRecord extends Omit<AnyDeclaration<never>, 'auth' | 'body' | 'handler'> {
  method: Method
  path: string
  auth: AuthMode
  body?: TSchema | undefined
  file?: FileBody<never> | undefined
  /** Path of the replacement. Set only for deprecated routes. */
  successor?: string | undefined
}

/** True when shared caches may store the response to an anonymous caller, which then has an ETag. */
export function isShared({ method, auth, cache }: RouteRecord): boolean {
  return method === 'GET' && (auth === 'public' || auth === 'optional') && cache !== 'private'
}
