import { type Groups, operations, type Operations, type Tokens, type Upload } from './generated.ts'
import { isPlazaError } from './errors.ts'
import { type List, listOf } from './pages.ts'
import { memberOf, type Input, type Route, toRoute } from './route.ts'
import type { CaptchaOptions } from './captcha.ts'
import { memorySession, SessionKeeper, type SessionStore, type SessionTokens } from './session.ts'
import { call, type CallOptions, limited, type Sending, type Transport } from './transport.ts'
import { upload, type UploadOptions } from './upload.ts'

/** Options of `createPlaza`. */
export interface PlazaOptions {
  /** Base URL of the server, such as `https://plaza.example.com`. Use `''` on a page of the same origin. */
  url: string
  /** Storage of the session between program runs or page loads. Default: only in memory. */
  session?: SessionStore
  /** API key, sent as `X-API-Key`. Use it instead of a session. */
  apiKey?: string
  /** Language of error messages. Default: the user's language in browsers, the server's default elsewhere. */
  language?: Language | (() => Language)
  /**
   * Makes the server store the refresh token in a cookie that scripts cannot read. Only for pages of the
   * server's origin. Combine it with `cookieSession()`.
   */
  cookie?: boolean
  /** Replaces the global `fetch`, for example to log requests or in tests. */
  fetch?: typeof fetch
  /** Maximum number of retries of a failed call, if repeating it is safe. Default: 2. */
  retries?: number
  /** Time limit of each call in milliseconds, retries included. Default: 30,000. Uploads have no limit. */
  timeoutMs?: number
}

/** Language of error messages: Korean or English. */
export type Language = 'ko' | 'en'

/** Name of an operation, as in the API reference at `/docs`. */
export type OperationName = Exclude<keyof Operations, 'refreshSession'>
/** Type of an operation's input: the fields of its query or body. */
export type InputOf<Name extends keyof Operations> = Operations[Name]['input']
/** Type of an operation's result. */
export type DataOf<Name extends keyof Operations> = Operations[Name]['data']
/** Name of an operation that returns a list in pages. */
export type ListName = {
  [Name in OperationName]: Operations[Name] extends { item: unknown } ? Name : never
}[OperationName]
/** Type of a list's entries. */
export type ItemOf<Name extends ListName> = Operations[Name] extends { item: infer Item }
  ? Item
  : never

/** Last arguments of a method: input and options. The input is optional when none of its fields is required. */
type Given<In, Options> =
  Record<string, never> extends In
    ? [input?: In, options?: Options]
    : [input: In, options?: Options]

type Method<Name extends keyof Operations> = (
  ...given: [...Operations[Name]['ids'], ...Given<InputOf<Name>, CallOptions>]
) => Name extends ListName ? List<DataOf<Name>, ItemOf<Name>> : Promise<DataOf<Name>>

type Methods = {
  readonly [Group in keyof Groups]: {
    readonly [Member in keyof Groups[Group]]: Groups[Group][Member] extends keyof Operations
      ? Method<Groups[Group][Member]>
      : never
  }
}

/** API client, created by `createPlaza`. It has the methods of the API's operations and the members below. */
export interface Plaza extends Methods {
  /**
   * Creates an account and signs in, or submits an application if new accounts need approval. The input includes the
   * token from `solveCaptcha`.
   */
  register: Method<'register'>
  /** Signs in with a handle or an email address, a password, and the second factor of the account if it has one. */
  signIn: Method<'signIn'>
  /** Signs in with a passkey. `sessions.getPasskeyLoginOptions` returns the options for the browser's dialog. */
  signInWithPasskey: Method<'signInWithPasskey'>
  /** Creates the first administrator with the setup code of the server, and signs in. */
  createFirstAdmin: Method<'createFirstAdmin'>
  /** Signs out, even if the session has expired. Throws and keeps the session when the server is unreachable. */
  signOut: Method<'signOut'>
  /** The current session, or null when signed out. */
  readonly session: SessionTokens | null
  /**
   * Resolves when the session is loaded from its store, and an attempt to get a missing access token has ended.
   * Rejects when the store fails. Calls that need the session wait for it.
   */
  readonly ready: Promise<void>
  /**
   * Calls `listener` with the session when one starts or is refreshed, and with null when the session ends.
   * Returns a function that removes the listener.
   */
  onSession(listener: (session: SessionTokens | null) => void): () => void
  /**
   * Renews the session immediately. Returns the new session, or null when the session has ended or none exists. Rejects
   * when the server cannot be reached or fails.
   */
  refresh(): Promise<SessionTokens | null>
  /** Uploads a file. Use the returned `id` in content and profiles. */
  upload(file: Blob, options?: UploadOptions): Promise<Upload>
  /**
   * Requests a CAPTCHA and solves it, which takes some seconds of computation. Returns the `captcha_token`
   * for `register`.
   */
  solveCaptcha(options?: CaptchaOptions): Promise<string>
}

const COOKIE_HEADER = { 'x-session-cookie': '1' }
const TIMEOUT_MS = 30_000

type Ask = (
  name: string,
  input?: Input,
  options?: CallOptions,
  sending?: Sending,
) => Promise<unknown>

/**
 * Creates a client for one Plaza server.
 *
 * If the stored session has no access token, as with `cookieSession()`, the client requests one immediately.
 *
 * @example
 * const plaza = createPlaza({ url: 'https://plaza.example.com' })
 * const { feeds } = await plaza.feeds.list({ sort: 'popular' })
 */
export function createPlaza(options: PlazaOptions): Plaza {
  const routes = new Map<string, Route>()
  /** Parses an operation on its first call. Parsing all of them would delay the start of a page. */
  const routeOf = (name: string) => {
    const route = routes.get(name) ?? toRoute(operations[name as keyof typeof operations])
    routes.set(name, route)
    return route
  }
  const ask: Ask = (name, input = {}, given, sending) =>
    call(transport, routeOf(name), input, given, sending)
  /** Calls an operation that starts, renews or ends a session. With `cookie: true`, adds the header for the cookie. */
  const askWithCookie: Ask = (name, input, given = {}, sending) => {
    const headers = { ...(options.cookie && COOKIE_HEADER), ...given.headers }
    return ask(name, input, { ...given, headers }, sending)
  }
  const sessions = new SessionKeeper(options.session ?? memorySession(), async (token) => {
    const data = await askWithCookie(
      'refreshSession',
      token === null ? {} : { refresh_token: token },
    )
    return (data as { tokens: Tokens }).tokens
  })
  const transport: Transport = { ...settingsOf(options), sessions }

  const own = {
    ...sessionMethods(sessions, askWithCookie, transport.timeoutMs),
    upload: (file: Blob, given?: UploadOptions) => upload(transport, file, given),
    solveCaptcha: (given: CaptchaOptions = {}) => solveCaptcha(plaza, given),
  }
  const plaza = Object.defineProperty({ ...groupsOf(routeOf, ask), ...own }, 'session', {
    get: () => sessions.current,
    enumerable: true,
  }) as unknown as Plaza
  return plaza
}

/** Returns the groups of methods, such as `contents`, without the methods of the client itself. */
function groupsOf(routeOf: (name: string) => Route, ask: Ask) {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [name, line] of Object.entries(operations)) {
    const [group, method] = memberOf(line)
    if (group === undefined || method === undefined) continue
    const members = (groups[group] ??= {})
    members[method] = (...given: unknown[]) => {
      const { ids, list } = routeOf(name)
      const input = { ...(given[ids.length] as Input | undefined) }
      for (const [index, id] of ids.entries()) input[id] = given[index]
      const options = given[ids.length + 1] as CallOptions | undefined
      const get = (next: Input) => ask(name, next, options)
      return list ? listOf(list, input, get) : get(input)
    }
  }
  return groups
}

function sessionMethods(sessions: SessionKeeper, ask: Ask, timeoutMs: number) {
  const enter =
    (name: 'signIn' | 'signInWithPasskey' | 'register' | 'createFirstAdmin') =>
    async (input?: Input, given?: CallOptions) => {
      // The time limit includes the wait for other session changes.
      const { signal, done } = limited(given?.signal, given?.timeoutMs ?? timeoutMs)
      const asked = async () => (await ask(name, input, { ...given, signal })) as DataOf<'signIn'>
      return sessions.enter(asked, signal).finally(done)
    }
  return {
    signIn: enter('signIn'),
    signInWithPasskey: enter('signInWithPasskey'),
    register: enter('register'),
    createFirstAdmin: enter('createFirstAdmin'),
    signOut: async (_?: Input, given?: CallOptions) => {
      try {
        await ask('signOut', {}, given, (send, signal) => sessions.leave(send, signal))
      } catch (error) {
        // Signing out of an expired session counts as success.
        if (!isPlazaError(error, 'UNAUTHORIZED')) throw error
        await sessions.end()
      }
    },
    refresh: async () => {
      await sessions.ready
      await sessions.renew(sessions.current?.access_token ?? '')
      return sessions.current
    },
    ready: sessions.ready,
    onSession: (listener: (session: SessionTokens | null) => void) => sessions.listen(listener),
  }
}

async function solveCaptcha(plaza: Plaza, options: CaptchaOptions): Promise<string> {
  // Loads the solver only when needed, because most visitors of a page never register.
  const { payloadOf, solveChallenge } = await import('./captcha.ts')
  const given = options.signal && { signal: options.signal }
  const { challenge } = await plaza.captcha.createChallenge({}, given)
  const solution = await solveChallenge(challenge, options)
  const verified = await plaza.captcha.verify({ payload: payloadOf(challenge, solution) }, given)
  return verified.captcha_token
}

function settingsOf(options: PlazaOptions): Omit<Transport, 'sessions'> {
  const { url, apiKey, language, retries = 2, timeoutMs = TIMEOUT_MS } = options
  return {
    url: url.replace(/\/+$/, ''),
    // Browsers require `fetch` to be called without `this`. Reading the global at each call lets programs replace it.
    fetch: options.fetch ?? ((target, init) => fetch(target, init)),
    headers: () => {
      const spoken = typeof language === 'function' ? language() : language
      return {
        accept: 'application/json',
        ...(spoken && { 'accept-language': spoken }),
        ...(apiKey && { 'x-api-key': apiKey }),
      }
    },
    retries,
    timeoutMs,
  }
}
