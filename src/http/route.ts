/**
 * Declares endpoints. A declaration determines the validation, the serialisation and the OpenAPI entry.
 * Errors are checked in the order of the contract: 401, 403, 415, 413, 422, the resource's own 404, 409.
 */
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import { ApiError, invalid } from '../errors.ts'
import { send } from './answer.ts'
import { admit, type AuthMode, bearerToken, type Caller } from './auth.ts'
import { bodyReader, discard, readJsonText } from './body.ts'
import { addressOf, Call } from './call.ts'
import type {
  AnyDeclaration,
  CoreDeps,
  Declaration,
  FileField,
  Method,
  PathParam,
  RouteRecord,
} from './declaration.ts'
import { readFilePart } from './multipart.ts'
import { queryReader } from './query.ts'

export const PREFIX = '/api/v1'
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

export class Api<D extends CoreDeps> {
  readonly deps: D
  readonly #app: FastifyInstance
  readonly #routes: RouteRecord[]

  /** Registers each declaration as a route of `app` and appends it to `routes`. */
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

  /**
   * Returns a function that declares a route. Its `path` gets the version prefix unless it starts with
   * `/api/`.
   */
  #method(method: Method) {
    return <
      A extends AuthMode,
      const P extends Record<string, PathParam> = Record<never, never>,
      Q extends TObject | undefined = undefined,
      B extends TObject | undefined = undefined,
      R extends TSchema | undefined = undefined,
      F extends FileField<D> | undefined = undefined,
    >(
      path: string,
      declaration: Declaration<D, A, P, Q, B, R, F>,
    ): void => {
      const url = path.startsWith('/api/') ? path : PREFIX + path
      this.#routes.push({ ...declaration, method, path: url })
      this.#register(method, url, declaration as unknown as AnyDeclaration<D>)
    }
  }

  #register(method: Method, url: string, route: AnyDeclaration<D>): void {
    const { auth, successor } = route
    const { load } = this.deps
    const checkQuota = route.metered === false ? undefined : this.deps.checkQuota
    this.#app.route({
      method,
      url,
      config: {
        takesBody: route.body !== undefined || route.file !== undefined,
        isVital: route.metered === false,
        ...(successor !== undefined && { successorOf: () => successor }),
      },
      ...((auth !== 'public' || checkQuota) && {
        onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
          const ip = addressOf(request)
          const caller = await load.hold(() => this.#findCaller(auth, request))
          // Checked before authentication, so that requests with invalid credentials count towards the quota
          // too.
          if (checkQuota) reply.headers(await checkQuota({ viewer: caller, ip }))
          if (auth !== 'public') request.viewer = admit(auth, caller)
        },
      }),
      handler: handlerOf(this.deps, method, route),
    })
  }

  /**
   * Returns the caller. A valid session takes precedence over an API key. Only `user-or-key` routes accept
   * keys.
   */
  async #findCaller(auth: AuthMode, { headers }: FastifyRequest): Promise<Caller | undefined> {
    const token = bearerToken(headers.authorization)
    const viewer = token === undefined ? undefined : await this.deps.findViewer(token)
    if (viewer || auth !== 'user-or-key') return viewer
    const rawKey = headers['x-api-key']
    return typeof rawKey === 'string' ? this.deps.findKeyHolder(rawKey) : undefined
  }
}

function handlerOf<D extends CoreDeps>(deps: D, method: Method, route: AnyDeclaration<D>) {
  const readQuery = route.query && queryReader(route.query, route.refineQuery)
  const readBody =
    route.body &&
    bodyReader(route.body, {
      required: route.bodyRequired !== false,
      exact: route.exactFields,
      refine: route.refine,
    })
  const status = route.data ? (route.status ?? 200) : 204
  const toJson = serialiser(route.data)

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const now = deps.clock.now()
    const closed = route.closed?.(deps, request.viewer)
    if (closed) {
      discard(request.raw)
      throw new ApiError(closed)
    }
    if (!route.file) {
      const text = readBody ? await readJsonText(request.raw) : undefined
      return deps.load.hold(() => answer(request, reply, { text, file: undefined }, now))
    }
    const file = openFile(request, route.file, deps)
    try {
      return await answer(request, reply, { text: undefined, file }, now)
    } finally {
      file.destroy()
    }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { text, file }: { text: string | undefined; file: Readable | undefined },
    now: number,
  ): Promise<FastifyReply> {
    const caller = request.viewer
    const isRefused = caller ? undefined : route.needsSession
    const query = readQuery?.(request.query as Record<string, unknown>, isRefused)
    const body =
      readBody && text !== undefined ? await deps.load.readBody(text, readBody) : readBody?.(text)
    const key = method === 'POST' && caller && !file ? idempotencyKey(request) : undefined
    requireIds(route.params ?? {}, request.params as Record<string, string>)
    const answerHeaders: Record<string, string> = {}
    const parts = {
      query: query as never,
      body: body as never,
      file: file as never,
      answerHeaders,
    }
    const call = (db: Handle) =>
      new Call<D, never, never, never, never, never>(request, { deps, db, now, ...parts })
    const complete = async (data: string | null, isReplay: boolean) => {
      if (!route.complete || data === null) return data
      return toJson(await route.complete(call(deps.db), JSON.parse(data), isReplay))
    }
    if (key === undefined || !caller) {
      const read = (db: Handle) => Promise.resolve(route.handler(call(db)))
      const mayBeOld = route.reads === 'replica' && isAnonymous(request)
      const handled = toJson(
        await (mayBeOld && deps.replica ? deps.replica.read(read) : read(deps.db)),
      )
      const data = await complete(handled, false)
      for (const name in answerHeaders) reply.header(name, answerHeaders[name])
      return send(deps, request, reply, { status, data, route })
    }
    const keyed = {
      caller: caller.key?.id ?? caller.id,
      route: `${method} ${request.url.split('?')[0]}`,
      key,
      fingerprint: hash('sha256', `${request.url}\n${text ?? ''}`, 'base64url'),
    }
    const stored = await deps.runOnce(keyed, async (db) => {
      const data = toJson(await route.handler(call(db)))
      return { status, data, storedData: withoutSecrets(data, route.secretFields) }
    })
    if (stored.replayed) reply.header('idempotent-replayed', 'true')
    const data = await complete(stored.data, stored.replayed)
    for (const name in answerHeaders) reply.header(name, answerHeaders[name])
    return send(deps, request, reply, { status: stored.status, data, route })
  }
}

/** True when the request contains no credentials, valid or invalid. */
function isAnonymous({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && headers['x-api-key'] === undefined
}

/**
 * Returns the stream of an uploaded file and sets the timeouts: The file may arrive slowly. After it has
 * arrived, the connection may be silent while the response is prepared. When the stream is closed, the
 * remaining body must arrive in the time of a short body.
 */
function openFile<D>(request: FastifyRequest, { name, maxBytes }: FileField<D>, deps: D): Readable {
  const { raw, bodyTimeout } = request
  const file = readFilePart(raw, { name, maxBytes: maxBytes(deps) })
  bodyTimeout?.expectLong(() => file.destroy(new ApiError('REQUEST_TIMEOUT')))
  // Without a reader, an error would end the process. A reader handles errors itself.
  file.on('error', () => {})
  file.once('end', () => raw.socket.setTimeout(0))
  file.once('close', () => bodyTimeout?.expectEnd())
  return file
}

/** Returns `data` for storage. Fields that are returned only once become null. */
function withoutSecrets(data: string | null, fields: readonly string[] | undefined): string | null {
  if (data === null || !fields) return data
  const hidden = Object.fromEntries(fields.map((name) => [name, null]))
  return JSON.stringify({ ...JSON.parse(data), ...hidden })
}

/** Returns a serialiser that compiles the schema on first use, so that the server starts quickly. */
function serialiser(schema: TSchema | undefined): (data: unknown) => string | null {
  if (!schema) return () => null
  let serialise: ((data: unknown) => string) | undefined
  return (data) => {
    serialise ??= fastJson(schema as never)
    return serialise(data)
  }
}

/** Throws the resource's own 404 when an id has the wrong form. */
function requireIds(checks: Record<string, PathParam>, params: Record<string, string>): void {
  for (const [name, check] of Object.entries(checks)) {
    if ('id' in check && !check.byRule && !isId(check.id, params[name] as string))
      throw new ApiError(check.missing)
  }
}

/** Returns the Idempotency-Key, which may be in quotes (draft-ietf-httpapi-idempotency-key-header-07). */
function idempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const key = String(header)
    .trim()
    .replace(/^"(.*)"$/, '$1')
  if (!IDEMPOTENCY_KEY.test(key)) throw invalid('Idempotency-Key', 'invalid.idempotency_key_form')
  return key
}
