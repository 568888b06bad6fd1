/**
 * Serves the web client on the paths that the API does not use. Looks files up in memory, so that a request
 * cannot reach other files on the disk.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { AskedPage, PageHead } from '../head/rules.ts'
import { takes } from '../http/encoding.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import { parseQuery } from '../http/query.ts'
import { languageOf } from '../messages/language.ts'
import { buildClient, ROOT } from './build.ts'
import { type Client, pathsFileOf, readClient } from './client.ts'
import type { ClientFile, Coding } from './files.ts'
import { fillPage } from './page.ts'
import type { PageMatch } from './paths.ts'
import { pageHeaders } from './policy.ts'

/** Matches paths that are reserved for the API, even when no route exists. */
const API = /^\/(?:api|uploads|docs)(?:\/|$)|^\/openapi\.json$/
const FOREVER = 'public, max-age=31536000, immutable'
const EVERY_FILE = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
/**
 * Path of the offline page, an empty shell. The service worker caches it and shows it in place of a page that fails
 * to load.
 */
const OFFLINE: PageMatch = { pattern: '/offline', params: {} }
/** Content Security Policy of script files. A worker is subject to the policy of its own script file. */
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

/**
 * Functions that the site needs to build pages. `pass` responds to requests that are neither for pages nor for files.
 */
export interface Pages {
  describe(page: AskedPage): Promise<PageHead>
  gamesOrigin(): string
  now(): number
  pass(): void
}

export class Site {
  /** Undefined when the client could not be built. */
  readonly #client: Promise<Client | undefined>
  readonly #patienceMs: number
  #hasBuilt = false

  /**
   * Requests wait up to `patienceMs` for the client. After that, or when the build failed, they get a notice
   * page.
   */
  constructor(client: Promise<Client>, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs
    this.#client = client
      .catch(() => undefined)
      .finally(() => {
        this.#hasBuilt = true
      })
  }

  /** Responds with a file or page of the client. Calls `pass` for other requests. */
  async answer(request: FastifyRequest, reply: FastifyReply, pages: Pages): Promise<void> {
    const { pass } = pages
    const path = request.url.split('?')[0] as string
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || API.test(path)) return pass()
    const client = await this.#wait()
    if (client === LATE || !client) {
      const isPage = path === '/' || asksForPage(request)
      if (!isPage) return pass()
      if (client === LATE) reply.header('retry-after', AGAIN_S)
      return sendUnavailable(reply, client === LATE ? NOT_YET : NOT_BUILT)
    }
    const file = client.files.get(path)
    if (file) return sendFile(request, reply, file, responseMetaOf(path, file))
    const found = path === OFFLINE.pattern ? OFFLINE : client.findPage(path)
    if (!(found ? takesPage(request) : asksForPage(request))) return pass()
    await sendPage(request, reply, { client, path, found, pages })
  }

  async #wait(): Promise<Client | undefined | typeof LATE> {
    if (this.#hasBuilt) return this.#client
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

/**
 * Returns at once a site that serves the web client in `root`. The client is built, if necessary, and loaded in the
 * background.
 */
export function openSite(log: Logger, root = ROOT): OpenedSite {
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
      return await readClient(folder, pathsFileOf(root))
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

function responseMetaOf(path: string, { type }: ClientFile): Record<string, string> {
  return {
    'cache-control': path.startsWith('/assets/') ? FOREVER : 'no-cache',
    'content-security-policy': type.startsWith('text/javascript') ? SCRIPT_POLICY : FILE_POLICY,
    vary: 'Accept-Encoding',
  }
}

/**
 * Sends the client's page with the head for this path. The ETag ignores `meta` of the embedded API response, as the
 * ETags of the API do.
 */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    client,
    path,
    found,
    pages,
  }: { client: Client; path: string; found: PageMatch | undefined; pages: Pages },
): Promise<void> {
  const language = languageOf(request.headers['accept-language'], request.defaultLanguage)
  const { pattern, params = {} } = found ?? {}
  const query = parseQuery(request.url.split('?')[1] ?? '')
  const head = await pages.describe({ path, pattern, params, query, language })
  const html = fillPage(client, head, {
    pattern,
    language,
    requestId: request.id,
    now: pages.now(),
  })
  const { status, isIndexed, first } = head
  const { page } = client
  const content = [page.hash, language, status, head.head, head.opening, head.noscript]
  const etag = etagOf([...content, ...first.map(({ data }) => data)].join('\n'))
  reply.headers({
    ...EVERY_FILE,
    ...pageHeaders(client.scripts, pages.gamesOrigin()),
    ...(!isIndexed && { 'x-robots-tag': 'noindex' }),
    ...(status === 503 && { 'retry-after': String(AGAIN_S) }),
    'cache-control': 'no-cache',
    'content-language': language,
    vary: 'Accept, Accept-Encoding, Accept-Language',
    etag,
  })
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).send()
    return
  }
  reply.code(status).header('content-type', 'text/html; charset=utf-8').send(html)
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ClientFile,
  headers: Record<string, string>,
): void {
  const coding = codingOf(request, file)
  const etag = `"${file.hash}${coding ? `-${coding}` : ''}"`
  reply.headers({ ...EVERY_FILE, ...headers, etag })
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).send()
    return
  }
  if (coding) reply.header('content-encoding', coding)
  const bytes = (coding && file.coded[coding]) ?? file.bytes
  reply.header('content-type', file.type).send(bytes)
}

function codingOf(request: FastifyRequest, { coded }: ClientFile): Coding | undefined {
  const codings: Coding[] = ['br', 'gzip']
  return codings.find((coding) => coded[coding] && takes(request, coding))
}

function sendUnavailable(reply: FastifyReply, page: string): void {
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
