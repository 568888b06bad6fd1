/**
 * Serves the web client on the paths that the API does not use. Looks files up in memory, so that a request
 * cannot reach other files on the disk.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { takes } from '../http/encoding.ts'
import { matchesEtag } from '../http/etag.ts'
import type { Language } from '../messages/language.ts'
import { buildClient, ROOT } from './build.ts'
import { type Client, pathsFileOf, readClient } from './client.ts'
import type { ClientFile, Coding } from './files.ts'
import { pageHeaders } from './policy.ts'

/** Matches paths that are reserved for the API, even when no route exists. */
const API = /^\/(?:api|uploads|docs)(?:\/|$)|^\/openapi\.json$/
const DAY = 'public, max-age=86400'
const FOREVER = 'public, max-age=31536000, immutable'
const EVERY_FILE = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
/** Policy of scripts. A worker is subject to the policy of its own script file. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
/** Milliseconds that a request waits for the web client to be built or loaded. */
const PATIENCE_MS = 2000
const AGAIN_S = 3
const LATE = Symbol('late')
const NOT_BUILT = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Plaza</title>
  <h1>The web client is not built</h1>
  <p>The log of the server says why. The API works: <a href="/docs">its reference</a>.</p>
</html>
`
const NOT_YET = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta http-equiv="refresh" content="${AGAIN_S}">
  <title>Plaza</title>
  <h1>This page is being built</h1>
  <p>It takes a moment after an installation or an upgrade. The page reloads automatically.</p>
  <p lang="ko">페이지를 만들고 있어요. 다 되면 자동으로 열려요.</p>
</html>
`

interface ResponseMeta {
  status: number
  headers: Record<string, string>
}

export class Site {
  /** Undefined when the client could not be built. */
  readonly #client: Promise<Client | undefined>
  readonly #patienceMs: number
  #isSettled = false

  /**
   * Requests wait up to `patienceMs` for the client. After that, or when the build failed, they get a notice
   * page.
   */
  constructor(client: Promise<Client>, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs
    this.#client = client
      .catch(() => undefined)
      .finally(() => {
        this.#isSettled = true
      })
  }

  /** Responds with a file or page of the client. Calls `pass` for other requests. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { gamesOrigin, pass }: { gamesOrigin: () => string; pass: () => void },
  ): Promise<void> {
    const path = request.url.split('?')[0] as string
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || API.test(path)) return pass()
    const client = await this.#wait()
    if (client === LATE || !client) {
      const isPage = path === '/' || asksForPage(request)
      if (!isPage) return pass()
      if (client === LATE) reply.header('retry-after', AGAIN_S)
      return tellWithout(reply, client === LATE ? NOT_YET : NOT_BUILT)
    }
    const file = client.files.get(path)
    if (file) return sendFile(request, reply, file, framingOf(path, file))
    const isKnown = client.hasPath(path)
    if (!(isKnown ? takesPage(request) : asksForPage(request))) return pass()
    sendFile(request, reply, client.page, {
      status: isKnown ? 200 : 404,
      headers: {
        ...pageHeaders(client.scripts, gamesOrigin()),
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
      },
    })
  }

  async #wait(): Promise<Client | undefined | typeof LATE> {
    if (this.#isSettled) return this.#client
    const over = new AbortController()
    const { signal } = over
    try {
      return await Promise.race([this.#client, sleep(this.#patienceMs, LATE, { signal })])
    } finally {
      over.abort()
    }
  }
}

interface OpenedSite {
  site: Site
  /** Resolves when the client is served or its build has failed. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Opens the web client of this project. Builds it first if necessary. */
export function openSite(log: Logger, root = ROOT, language: Language = 'ko'): OpenedSite {
  const closing = new AbortController()
  const prepare = async (): Promise<Client> => {
    const started = performance.now()
    const slow = setTimeout(
      () => log.info('building the web client: the API is available, pages follow'),
      1000,
    )
    try {
      const { folder, isNew } = await buildClient({ signal: closing.signal, root })
      const ms = Math.round(performance.now() - started)
      if (isNew) log.info({ ms }, 'web client built')
      return await readClient(folder, pathsFileOf(root), language)
    } catch (error) {
      if (!closing.signal.aborted) {
        const { message: reason } = error as Error
        log.error({ reason }, 'web client build failed: serving the API without it')
      }
      throw error
    } finally {
      clearTimeout(slow)
    }
  }
  const client = prepare()
  const ready = client.then(
    () => {},
    () => {},
  )
  return {
    site: new Site(client),
    ready,
    close: async () => {
      closing.abort()
      await ready
    },
  }
}

function framingOf(path: string, { type }: ClientFile): ResponseMeta {
  return {
    status: 200,
    headers: {
      'cache-control': lifetimeOf(path),
      'content-security-policy': type.startsWith('text/javascript') ? SCRIPT_POLICY : FILE_POLICY,
      vary: 'Accept-Encoding',
    },
  }
}

/**
 * Returns the Cache-Control value of a path. The icon is cached for a day, because browsers and feed readers
 * request it often.
 */
function lifetimeOf(path: string): string {
  if (path.startsWith('/assets/')) return FOREVER
  return path === '/favicon.ico' ? DAY : 'no-cache'
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ClientFile,
  { status, headers }: ResponseMeta,
): void {
  const coding = codingOf(request, file)
  const etag = `"${file.hash}${coding ? `-${coding}` : ''}"`
  reply.headers({ ...EVERY_FILE, ...headers, etag })
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).send()
    return
  }
  if (coding) reply.header('content-encoding', coding)
  const bytes = (coding && file.coded[coding]) ?? file.bytes
  reply.code(status).header('content-type', file.type).send(bytes)
}

function codingOf(request: FastifyRequest, { coded }: ClientFile): Coding | undefined {
  const codings: Coding[] = ['br', 'gzip']
  return codings.find((coding) => coded[coding] && takes(request, coding))
}

function tellWithout(reply: FastifyReply, page: string): void {
  reply
    .code(503)
    .headers(EVERY_FILE)
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('cache-control', 'no-store')
    .header('content-type', 'text/html; charset=utf-8')
    .send(page)
}

/** True when the `Accept` header contains `text/html`, as in requests of browsers for pages. */
function asksForPage(request: FastifyRequest): boolean {
  return takesType(request, /^text\/html$/)
}

/** True when the client accepts HTML. Without an `Accept` header, a client accepts every type. */
function takesPage(request: FastifyRequest): boolean {
  return (
    request.headers.accept === undefined || takesType(request, /^(?:text\/(?:html|\*)|\*\/\*)$/)
  )
}

function takesType({ headers }: FastifyRequest, types: RegExp): boolean {
  return (headers.accept ?? '').split(',').some((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return types.test(type) && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text))
  })
}
