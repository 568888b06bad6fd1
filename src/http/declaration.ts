/** What an endpoint says of itself: who may call, what comes in, what goes out, which errors. */
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

/** What the plumbing needs; features extend it. */
export interface CoreDeps {
  load: Load
  db: Db
  /** Where there is one: reads on it what may be some seconds old, else on `db`. */
  replica: { read<T>(read: (db: Handle) => Promise<T>): Promise<T> } | undefined
  clock: Clock
  corsOrigins: readonly string[]
  /** The person a token belongs to now, or undefined. */
  findViewer(token: string): Promise<SessionHolder | undefined>
  /** The person in whose name an API key calls now, or undefined. */
  findKeyHolder(rawKey: string): Promise<KeyHolder | undefined>
  /** Runs an act at most once for each Idempotency-Key. */
  runOnce(request: KeyedRequest, run: (db: Handle) => Promise<Answer>): Promise<StoredAnswer>
  /**
   * Where quotas hold: counts a request. Throws 429 when the caller is over quota; returns headers
   * that tell the quota.
   */
  checkQuota:
    | ((caller: { viewer: Viewer | undefined; ip: string }) => Promise<Record<string, string>>)
    | undefined
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

/**
 * A path parameter: an id that must have this form, or free text. Either fails with the thing's own
 * 404. `byRule`: the rule looks at the form, since something of the body comes before it.
 */
export type PathParam = { id: Prefix; missing: ErrorCode; byRule?: true } | { text: true }

type ParamsOf<P> = { [K in keyof P]: string }
type StaticOf<S> = S extends TSchema ? Static<S> : undefined
/** Without a schema there is nothing to answer: 204. */
type AnswerOf<S> = S extends TSchema ? Static<S> : void

/** A file that comes as a field of a multipart/form-data body. */
export interface FileField<D> {
  name: string
  description: string
  /** Most bytes of the file. */
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
  /** Adds what the schema of the query cannot say. */
  refineQuery?: (query: NoInfer<Partial<StaticOf<Q>>>, problems: Problem[]) => void
  /** Where the mode asks for none: whether this query needs a session all the same. 401 comes before 422. */
  needsSession?: (query: NoInfer<Partial<StaticOf<Q>>>) => boolean
  body?: B
  /** False where the body as a whole may be missing. */
  bodyRequired?: boolean
  /** An example of the body. */
  exampleBody?: NoInfer<StaticOf<B>>
  /** Fields whose white space is kept. */
  exactFields?: readonly string[]
  /** In place of a JSON body. Such a route heeds no Idempotency-Key. */
  file?: F
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
  closed?: (deps: D, viewer: ViewerOf<A>) => ErrorCode | undefined
  /** Of a GET: `revalidate` (ETag) unless given; seconds for a short public cache; `private` never. */
  cache?: 'revalidate' | 'private' | number
  /**
   * Of a GET without effects: what callers without credentials read may come from a replica, some
   * seconds old. Whoever sends credentials reads what they wrote.
   */
  reads?: 'replica'
  /** Fields of `data` that are shown once: null in a replay. */
  secretFields?: readonly string[]
  /** Path of the route to use instead. It makes this one deprecated. */
  successor?: string
  /** False where calls count towards no quota, and are answered however busy the server is. */
  metered?: boolean
  handler: (call: CallOf<D, A, P, Q, B, F>) => Promise<AnswerOf<R>> | AnswerOf<R>
  /**
   * What must wait for the handler's transaction to be over, such as a request to others: gives the
   * answer in place of the handler's. Called for a replay too, which must do nothing twice.
   */
  complete?: (
    call: CallOf<D, A, P, Q, B, F>,
    data: NoInfer<AnswerOf<R>>,
    isReplay: boolean,
  ) => Promise<NoInfer<AnswerOf<R>>>
}

/** A declaration whose types no longer matter: for the document and the tests that walk all routes. */
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

/** A declaration as the plumbing sees it: of any types. */
export type AnyDeclaration<D> = Declaration<
  D,
  AuthMode,
  Record<string, PathParam>,
  TObject,
  TObject,
  TSchema,
  FileField<D>
>
