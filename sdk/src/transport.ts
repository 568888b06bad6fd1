import { type Answer, dataOf } from './answer.ts'
import { randomHex } from './bytes.ts'
import { aborted, isPlazaError, PlazaError, unreachable } from './errors.ts'
import { type Input, place, type Route } from './route.ts'
import { type SessionKeeper, signedInMeanwhile } from './session.ts'
import { abortable, pause } from './waiting.ts'

/** Options of one call, passed as the last argument of a method. */
export interface CallOptions {
  /** Aborts the call immediately. The call rejects with `ABORTED`. */
  signal?: AbortSignal
  /**
   * Idempotency key. Default: a generated one, where the operation accepts one. Repeating a call with the
   * same key returns the first response without repeating the action.
   */
  idempotencyKey?: string
  /** Additional request headers. They override the client's headers, except the access token. */
  headers?: Record<string, string>
  /** Time limit of the whole call in milliseconds, including retries and the waits between them. */
  timeoutMs?: number
}

export interface Transport {
  url: string
  fetch: typeof fetch
  headers(): Record<string, string>
  retries: number
  timeoutMs: number
  sessions: SessionKeeper
}

/** Maximum `Retry-After` in seconds that the client waits. If the value is higher, the call throws. */
const PATIENCE_S = 5
/** Maximum milliseconds before the first retry without `Retry-After`. The maximum doubles with each further retry. */
const BACKOFF_MS = 250

/** Wraps the sending of a request, for example to hold a lock. Called after the access token is ready. */
export type Sending = (send: () => Promise<unknown>, signal: AbortSignal) => Promise<unknown>

/** Makes a call and returns its `data`. Renews the session when needed, and retries when that is safe. */
export async function call(
  transport: Transport,
  route: Route,
  input: Input,
  options: CallOptions = {},
  sending: Sending = (send) => send(),
): Promise<unknown> {
  const { signal, done } = limited(options.signal, options.timeoutMs ?? transport.timeoutMs)
  try {
    const request = requestOf(transport, route, input, options)
    const caller: Caller = {}
    const attempted = (headers: Record<string, string>) =>
      sending(() => attempt(transport, request, headers, signal), signal)
    const once = () => withSession(transport, route, signal, attempted, caller)
    return await withRetries(isRepeatable(request, input) ? transport.retries : 0, signal, once)
  } finally {
    done()
  }
}

interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

function requestOf(
  transport: Transport,
  route: Route,
  input: Input,
  options: CallOptions,
): Request {
  const { target, body } = place(route, input)
  const key = options.idempotencyKey ?? (route.takesKey ? randomHex() : undefined)
  return {
    method: route.method,
    url: transport.url + target,
    headers: {
      ...transport.headers(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...lowerCase(options.headers),
    },
    body,
  }
}

/** Returns the headers with names in lower case. Otherwise two names that differ only in case would both be sent. */
function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function isRepeatable({ method, headers }: Request, input: Input): boolean {
  // If the first attempt changed the password, a second one would fail with the old password.
  if (input['current_password'] !== undefined) return false
  return method !== 'POST' || 'idempotency-key' in headers
}

/** State of a call: the value of `SessionKeeper.signIns` at its first attempt. If the value changed, a retry fails. */
interface Caller {
  signIn?: number
}

/**
 * Calls `attempted` with the session's access token. Without a session, and for public operations, calls it without
 * credentials. After a 401 renews the session and calls `attempted` once more.
 *
 * Throws the 401 when the session has ended, and ABORTED when another user has signed in since the call began.
 */
export async function withSession<T>(
  { sessions }: Transport,
  { isPublic }: Pick<Route, 'isPublic'>,
  signal: AbortSignal,
  attempted: (credentials: Record<string, string>) => Promise<T>,
  caller: Caller = {},
): Promise<T> {
  if (isPublic) return attempted({})
  const asSame = () => {
    caller.signIn ??= sessions.signIns
    if (caller.signIn === sessions.signIns) return
    throw signedInMeanwhile()
  }
  if (sessions.current) asSame()
  const token = await abortable(sessions.token(), signal)
  if (token === null) return attempted({})
  asSame()
  try {
    return await attempted(bearer(token))
  } catch (error) {
    if (!isPlazaError(error, 'UNAUTHORIZED')) throw error
    const renewed = await abortable(sessions.renew(token), signal)
    if (renewed === null) throw error
    asSame()
    return attempted(bearer(renewed))
  }
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

async function attempt(
  transport: Transport,
  { url, method, headers, body }: Request,
  credentials: Record<string, string>,
  signal: AbortSignal,
): Promise<unknown> {
  return dataOf(
    await exchange(transport.fetch, url, {
      method,
      headers: { ...headers, ...credentials },
      signal,
      credentials: 'same-origin',
      ...(body !== undefined && { body }),
    }),
  )
}

/**
 * Sends a request and reads the whole response. Follows no redirects, which could send the API key to another server.
 *
 * Throws NETWORK if no response arrives, the signal's reason on abort, and a TypeError for an invalid header.
 */
export async function exchange(
  fetching: typeof fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Answer> {
  const headers = new Headers(init.headers)
  try {
    const response = await fetching(url, { ...init, headers, redirect: 'manual' })
    const text = await response.text()
    return { status: response.status, text, header: (name) => response.headers.get(name) }
  } catch (error) {
    init.signal.throwIfAborted()
    throw unreachable(error)
  }
}

async function withRetries<T>(
  retries: number,
  signal: AbortSignal,
  once: () => Promise<T>,
): Promise<T> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await once()
    } catch (error) {
      const waitMs = failed < retries ? waitAfter(error, failed) : undefined
      if (waitMs === undefined) throw error
      await pause(waitMs, signal)
    }
  }
}

/** Returns the milliseconds until the next attempt, or undefined when the call must not be retried. */
function waitAfter(error: unknown, failed: number): number | undefined {
  if (!isPlazaError(error) || !isPassing(error)) return undefined
  const { retryAfter } = error
  if (retryAfter !== null && retryAfter > PATIENCE_S) return undefined
  // The random factor makes clients that failed at the same time retry at different times.
  const backoff = BACKOFF_MS * 2 ** failed * (0.5 + Math.random() / 2)
  return Math.max(backoff, (retryAfter ?? 0) * 1000)
}

function isPassing({ code, status, retryAfter }: PlazaError): boolean {
  if (status === 429) return retryAfter !== null
  return code === 'NETWORK' || code === 'REQUEST_IN_PROGRESS' || [502, 503, 504].includes(status)
}

/**
 * Returns a signal that aborts with ABORTED when `outer` aborts, and with TIMEOUT after `timeoutMs`. Call `done` at the
 * end to release the timer.
 */
export function limited(
  outer: AbortSignal | undefined,
  timeoutMs: number,
): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController()
  const end = () => outer && controller.abort(aborted(outer))
  const isLate = () => controller.abort(new PlazaError('TIMEOUT', 'The call took too long.'))
  const timer = Number.isFinite(timeoutMs) ? setTimeout(isLate, timeoutMs) : undefined
  if (outer?.aborted) end()
  outer?.addEventListener('abort', end)
  const done = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', end)
  }
  return { signal: controller.signal, done }
}
