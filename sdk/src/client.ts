import { operations, type Operations, type Tokens, type Upload } from './generated.ts'
import { isPlazaError } from './errors.ts'
import { entriesOf, pagesOf } from './pages.ts'
import { type Input, type Route, toRoute } from './route.ts'
import { type CaptchaOptions, payloadOf, solveChallenge } from './captcha.ts'
import { memorySession, SessionKeeper, type SessionStore, type SessionTokens } from './session.ts'
import { call, type CallOptions, limited, type Sending, type Transport } from './transport.ts'
import { upload, type UploadOptions } from './upload.ts'

export interface PlazaOptions {
  /** Of the server, such as `https://plaza.example.com`; empty in a page of the same origin. */
  url: string
  /** Where the session outlives this client; it is kept in memory unless given. */
  session?: SessionStore
  /** Sent as `X-API-Key`, in place of a session. */
  apiKey?: string
  /** Of messages. The server speaks Korean unless asked for another. */
  language?: Language | (() => Language)
  /** The server keeps the refresh token in a cookie that scripts cannot read. For pages of its own origin. */
  cookie?: boolean
  fetch?: typeof fetch
  /** How often a call that may be repeated is repeated; 2 unless given. */
  retries?: number
  /** For each call, 30,000 unless given. Uploads have no limit. */
  timeoutMs?: number
}

export type Language = 'ko' | 'en'

/** Names of operations, as the reference at `/docs` has them. */
export type OperationName = Exclude<keyof Operations, 'refresh'>
/** What an operation takes. */
export type InputOf<Name extends keyof Operations> = Operations[Name]['input']
/** What an operation gives. */
export type DataOf<Name extends keyof Operations> = Operations[Name]['data']
/** Operations that are lists with more than one page. */
export type ListName = {
  [Name in OperationName]: Operations[Name] extends { item: unknown } ? Name : never
}[OperationName]
/** What a list has in it. */
export type ItemOf<Name extends ListName> = Operations[Name] extends { item: infer Item }
  ? Item
  : never

/** An input may be left out where none of its fields is required. */
type Given<In, Options> =
  Record<string, never> extends In
    ? [input?: In, options?: Options]
    : [input: In, options?: Options]

/** A method for each operation. */
export type Methods = {
  [Name in keyof Operations as Exclude<Name, 'refresh'>]: (
    ...given: Given<InputOf<Name>, CallOptions>
  ) => Promise<DataOf<Name>>
}

export interface Plaza extends Methods {
  /** Who is signed in; null for nobody. */
  readonly session: SessionTokens | null
  /** Resolves once the session was loaded from its store. Calls wait for it themselves. */
  readonly ready: Promise<void>
  /** Tells of each sign-in, refresh, sign-out and end of the session, until the function it gives is called. */
  onSession(listener: (session: SessionTokens | null) => void): () => void
  /** Renews the session, as calls do by themselves. Null where it is over. */
  refresh(): Promise<SessionTokens | null>
  /** Entries of a list, over all its pages. */
  each<Name extends ListName>(
    name: Name,
    ...given: Given<InputOf<Name>, CallOptions>
  ): AsyncGenerator<ItemOf<Name>>
  /** The answers of a list, page after page. */
  pages<Name extends ListName>(
    name: Name,
    ...given: Given<InputOf<Name>, CallOptions>
  ): AsyncGenerator<DataOf<Name>>
  /** Stores a file, to be named in works and profiles. */
  upload(file: Blob, options?: UploadOptions): Promise<Upload>
  /** Does the work that opening an account costs; gives its `captcha_token`. */
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

/** A client of the Plaza at `url`. */
export function createPlaza(options: PlazaOptions): Plaza {
  const routes = new Map(Object.entries(operations).map(([name, line]) => [name, toRoute(line)]))
  const routeOf = (name: string) => routes.get(name) as Route
  const ask: Ask = (name, input = {}, given, sending) =>
    call(transport, routeOf(name), input, given, sending)
  /** Calls that open, renew and end a session say where it is kept. */
  const askKept: Ask = (name, input, given = {}, sending) => {
    const headers = { ...(options.cookie && COOKIE_HEADER), ...given.headers }
    return ask(name, input, { ...given, headers }, sending)
  }
  const sessions = new SessionKeeper(options.session ?? memorySession(), async (token) => {
    const data = await askKept('refresh', token === null ? {} : { refresh_token: token })
    return (data as { tokens: Tokens }).tokens
  })
  const transport: Transport = { ...settingsOf(options), sessions }

  const methods = [...routes.keys()].map((name): [string, unknown] => [
    name,
    (input?: Input, given?: CallOptions) => ask(name, input, given),
  ])
  const own = {
    ...sessionMethods(sessions, askKept, transport.timeoutMs),
    each: (name: string, input: Input = {}, given?: CallOptions) =>
      entriesOf(routeOf(name), input, (next) => ask(name, next, given)),
    pages: (name: string, input: Input = {}, given?: CallOptions) =>
      pagesOf(routeOf(name), input, (next) => ask(name, next, given)),
    upload: (file: Blob, given?: UploadOptions) => upload(transport, file, given),
    solveCaptcha: (given: CaptchaOptions = {}) => solveCaptcha(plaza, given),
  }
  const plaza = Object.defineProperty({ ...Object.fromEntries(methods), ...own }, 'session', {
    get: () => sessions.current,
    enumerable: true,
  }) as unknown as Plaza
  return plaza
}

/** The operations that open, renew and end a session, and what tells of it. */
function sessionMethods(sessions: SessionKeeper, ask: Ask, timeoutMs: number) {
  const enter = (name: 'login' | 'register') => async (input?: Input, given?: CallOptions) => {
    // Waiting for its turn is part of the call.
    const { signal, done } = limited(given?.signal, given?.timeoutMs ?? timeoutMs)
    const asked = async () => (await ask(name, input, { ...given, signal })) as DataOf<'login'>
    return sessions.enter(asked, signal).finally(done)
  }
  return {
    login: enter('login'),
    register: enter('register'),
    logout: async (_?: Input, given?: CallOptions) => {
      try {
        await ask('logout', {}, given, (send, signal) => sessions.leave(send, signal))
      } catch (error) {
        // A session that is over already is what was wanted.
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
  const given = options.signal && { signal: options.signal }
  const { challenge } = await plaza.createChallenge({}, given)
  const solution = await solveChallenge(challenge, options)
  const verified = await plaza.verifyCaptcha({ payload: payloadOf(challenge, solution) }, given)
  return verified.captcha_token
}

function settingsOf(options: PlazaOptions): Omit<Transport, 'sessions'> {
  const { url, apiKey, language, retries = 2, timeoutMs = TIMEOUT_MS } = options
  return {
    url: url.replace(/\/+$/, ''),
    // Bound late and to nothing: browsers refuse a fetch that is called as a method of something else.
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
