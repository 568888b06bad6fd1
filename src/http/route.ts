import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import { ApiError, invalid } from '../errors.ts'
import { send, serialiser } from './answer.ts'
import { admit, type AuthMode, bearerToken, type Caller } from './auth.ts'
import { bodyReader } from './body.ts'
import { addressOf, Call } from './call.ts'
import { prefersCsv } from './csv.ts'
import {
  Alternative,
  type AnyDeclaration,
  type CoreDeps,
  type Declaration,
  type FileBody,
  isShared,
  type Method,
  needsVerifiedEmail,
  type PathParam,
  type RouteRecord,
  statusesOf,
} from './declaration.ts'
import { csvOf, secretsOf } from './fields.ts'
import { readFilePart } from './multipart.ts'
import { readQuery, validQuery } from './query.ts'

export const PREFIX = '/api/v1'
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

interface Shape {
  Params: Record<string, string>
  Querystring: Record<string, unknown>
  Body: string | undefined
}
type Request = FastifyRequest<Shape>

export class Api<D extends CoreDeps> {
  readonly deps: D
  readonly #app: FastifyInstance
  readonly #routes: RouteRecord[]
  readonly #successor: string | undefined

  /**
   * Creates an object whose methods register endpoints in `app` and `routes`. A route checks requests in the
   * order of docs/api.md: quota (429), session (401), role (403), media type (415), size (413), query and body
   * (422), format of ids (404). The handler then checks existence (404), author (403) and state (409).
   */
  constructor(app: FastifyInstance, deps: D, routes: RouteRecord[], successor?: string) {
    this.#app = app
    this.deps = deps
    this.#routes = routes
    this.#successor = successor
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

  deprecated(successor: string): Api<D> {
    return new Api(this.#app, this.deps, this.#routes, successor)
  }

  /**
   * Returns a function that registers a route for this method. Adds the version prefix to a path that does not
   * start with `/api/`.
   */
  #method(method: Method) {
    return <
      A extends AuthMode,
      const P extends Record<string, PathParam> = Record<never, never>,
      Q extends TObject | undefined = undefined,
      B extends TSchema | FileBody<D> | undefined = undefined,
      R extends TSchema | undefined = undefined,
      O extends TSchema | undefined = undefined,
      W = unknown,
    >(
      path: string,
      declaration: Declaration<D, A, P, Q, B, R, O, W>,
    ): void => this.#register(method, path.startsWith('/api/') ? path : PREFIX + path, declaration)
  }

  #register(method: Method, path: string, declaration: AnyDeclaration<D>): void {
    const { auth, body, handler, ...documented } = declaration
    const { mode, refuse, always } = typeof auth === 'string' ? { mode: auth } : auth
    const route: RouteRecord = {
      ...documented,
      method,
      path,
      auth: mode,
      ...split(body),
      successor: this.#successor,
    }
    this.#routes.push(route)
    const { deps } = this
    const checkQuota = always ? undefined : deps.checkQuota
    const isVerifiedOnly = needsVerifiedEmail(route)
    this.#app.route<Shape>({
      method,
      url: path,
      config: {
        takes: route.body ? 'json' : route.file && 'file',
        isVital: always === true,
        ...(route.successor !== undefined && { successor: route.successor }),
      },
      ...((mode !== 'public' || checkQuota || refuse) && {
        onRequest: async (request, reply) => {
          const ip = addressOf(request)
          const caller = await deps.load.hold(() => this.#findCaller(mode, request))
          if (checkQuota) reply.headers(await checkQuota({ viewer: caller, ip }))
          if (mode !== 'public') request.viewer = admit(mode, caller)
          if (isVerifiedOnly && request.viewer?.mustVerify) throw new ApiError('EMAIL_NOT_VERIFIED')
          if (!refuse) return
          const query = route.query ? readQuery(route.query, request.query).values : {}
          const { viewer, isForwarded } = request
          const client = { ip, isForwarded }
          const asked = { deps, client, now: deps.clock.now(), viewer, query }
          const code = await deps.load.hold(async () => refuse(asked))
          if (code) throw new ApiError(code)
        },
      }),
      handler: handlerOf(deps, route, handler, split(body).file),
    })
  }

  /**
   * Returns the caller of a request, or undefined without valid credentials. Only `user-or-key` accepts an API
   * key, and a valid session takes precedence over it.
   */
  async #findCaller(auth: AuthMode, { headers }: Request): Promise<Caller | undefined> {
    const token = bearerToken(headers.authorization)
    const viewer = token === undefined ? undefined : await this.deps.findViewer(token)
    if (viewer || auth !== 'user-or-key') return viewer
    const rawKey = headers['x-api-key']
    return typeof rawKey === 'string' ? this.deps.findKeyHolder(rawKey) : undefined
  }
}

function isFile<D>(body: TSchema | FileBody<D>): body is FileBody<D> {
  return 'maxBytes' in body
}

function split<D>(body: TSchema | FileBody<D> | undefined) {
  return body && isFile(body) ? { file: body } : { body }
}

function handlerOf<D extends CoreDeps>(
  deps: D,
  route: RouteRecord,
  handler: AnyDeclaration<D>['handler'],
  fileBody: FileBody<D> | undefined,
) {
  const steps = typeof handler === 'function' ? { first: handler } : handler
  const { moreProblems, before, first, then } = steps
  const { load, replica } = deps
  const ids = Object.entries(route.params ?? {})
  const readBody = route.body && bodyReader(route.body)
  const { status, alternative: alternativeSpec } = statusesOf(route)
  const toJson = serialiser(route.data)
  const alternative = alternativeSpec && {
    status: alternativeSpec.status,
    toJson: serialiser(alternativeSpec.data),
  }
  const secrets = route.data ? secretsOf(route.data) : []
  const mayHoldSecrets = secrets.length > 0 || (route.auth === 'public' && route.method !== 'GET')
  const toCsv = csvOf(route.data)
  const offersCsv = toCsv !== undefined
  const outgoing = { isShared: isShared(route), cache: route.cache, mayHoldSecrets, offersCsv }
  const mayReplicate = route.indexes !== undefined && outgoing.isShared

  return async (request: Request, reply: FastifyReply) => {
    if (!fileBody) return load.hold(() => answer(request, reply, undefined))
    const file = openFile(request, fileBody, deps)
    try {
      return await answer(request, reply, file)
    } finally {
      file.destroy()
    }
  }

  async function readWhole(text: string | undefined) {
    if (!readBody) return undefined
    try {
      return text === undefined ? readBody(text) : await load.readBody(text, readBody)
    } catch (error) {
      if (!moreProblems || !(error instanceof ApiError) || !error.problems) throw error
      const more = await moreProblems(deps, sentFields(text))
      throw new ApiError(error.code, { problems: [...error.problems, ...more] })
    }
  }

  async function answer(request: Request, reply: FastifyReply, file: Readable | undefined) {
    const query = route.query && validQuery(route.query, readQuery(route.query, request.query))
    const text = request.body
    const body = await readWhole(text)
    const caller = route.method === 'POST' && !file ? request.viewer : null
    const key = caller && idempotencyKey(request)
    requireIds(ids, request.params)
    const answerHeaders: Record<string, string> = {}
    const { viewer, params } = request
    const now = deps.clock.now()
    const parts = { deps, viewer, params, query, body, file, now, answerHeaders }
    const callWith = (db: Handle) => new Call(request, db, parts)
    const toAnswer = (result: unknown) => {
      if (!(result instanceof Alternative)) return { status, data: toJson(result) }
      if (!alternative) throw new Error(`${route.id} declares only one status`)
      return { status: alternative.status, data: alternative.toJson(result.data) }
    }

    // An error of `before` is thrown in `run`. A replay does not call `run`, so it returns the stored response.
    const [checked] = before ? await Promise.allSettled([before(callWith(deps.db))]) : []
    const run = (db: Handle) => {
      if (checked?.status === 'rejected') throw checked.reason
      return first(callWith(db), checked?.value)
    }
    let outcome: { data: string | null; replayed: boolean; status: number }
    if (caller && key !== undefined && key !== null) {
      outcome = await deps.runOnce(keyedRequest(request, caller, key), async (db) => {
        const answered = toAnswer(await run(db))
        return { ...answered, storedData: withoutSecrets(answered.data, secrets) }
      })
      if (outcome.replayed) reply.header('idempotent-replayed', 'true')
    } else if (mayReplicate && replica && isAnonymous(request)) {
      outcome = { ...toAnswer(await replica.read(async (db) => run(db))), replayed: false }
    } else {
      const result = await run(deps.db)
      if (toCsv && prefersCsv(request)) {
        const csv = toCsv(result as never)
        return send(deps, request, reply, { ...outgoing, status, data: '', csv })
      }
      outcome = { ...toAnswer(result), replayed: false }
    }
    let { data } = outcome
    if (then && data !== null) {
      data = toJson(await then(callWith(deps.db), JSON.parse(data), outcome.replayed))
    }
    for (const name in answerHeaders) reply.header(name, answerHeaders[name])
    return send(deps, request, reply, { ...outgoing, status: outcome.status, data })
  }
}

/**
 * Returns the fields of a JSON body that failed validation. Returns `{}` when the body is not a JSON object.
 */
function sentFields(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function keyedRequest(
  { method, url, body = '' }: Request,
  { id, key: apiKey }: Caller,
  key: string,
) {
  return {
    caller: apiKey?.id ?? id,
    route: `${method} ${url.split('?')[0]}`,
    key,
    content: `${url}\n${body}`,
  }
}

function isAnonymous({ headers }: Request): boolean {
  return headers.authorization === undefined && headers['x-api-key'] === undefined
}

/**
 * Returns the stream of an uploaded file. Its time limits (see `BodyTimeout`):
 * - While the file arrives, the limits of a long body. A late body ends the stream with 408 REQUEST_TIMEOUT.
 * - After the whole body has arrived, none: the connection stays open while the handler prepares the response.
 * - When the handler closes the stream early, `wholeMs` for the rest of the body.
 */
function openFile<D>(request: Request, { field, maxBytes }: FileBody<D>, deps: D): Readable {
  const { raw, bodyTimeout } = request
  const file = readFilePart(raw, { name: field, maxBytes: maxBytes(deps) })
  bodyTimeout?.expectLong(() => file.destroy(new ApiError('REQUEST_TIMEOUT')))
  // Without this listener, an error would end the process when the handler does not read the stream.
  file.on('error', () => {})
  file.once('end', () => raw.socket.setTimeout(0))
  file.once('close', () => bodyTimeout?.expectEnd())
  return file
}

function withoutSecrets(data: string | null, fields: readonly string[]): string | null {
  if (data === null || fields.length === 0) return data
  const hidden = JSON.parse(data)
  for (const path of fields) {
    const [name, inner] = path.split('.') as [string, string?]
    if (inner === undefined) hidden[name] = null
    else hidden[name][inner] = null
  }
  return JSON.stringify(hidden)
}

function requireIds(declared: [string, PathParam][], sent: Record<string, string>): void {
  for (const [name, param] of declared) {
    if ('id' in param && !param.byRule && !isId(param.id, sent[name] ?? ''))
      throw new ApiError(param.missing)
  }
}

/**
 * Returns the Idempotency-Key without its optional quotes (draft-ietf-httpapi-idempotency-key-header-07), or
 * undefined without one. Errors: 422 VALIDATION_ERROR.
 */
function idempotencyKey({ headers }: Request): string | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  const key = String(header)
    .trim()
    .replace(/^"(.*)"$/, '$1')
  if (!IDEMPOTENCY_KEY.test(key)) throw invalid('Idempotency-Key', 'invalid.idempotency_key_form')
  return key
}
