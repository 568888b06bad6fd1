/**
 * Serves the web client on the paths that no route of the API has. What is asked for is looked up
 * among the files that were read at the start; no path on the disk is made from a request.
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

/** Paths that are the API's, whether it has them or not. */
const API = /^\/(?:api|uploads|docs)(?:\/|$)|^\/openapi\.json$/
const DAY = 'public, max-age=86400'
const FOREVER = 'public, max-age=31536000, immutable'
const EVERY_FILE = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
/** A worker heeds the policy that its script came with. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
/** A client that is built already is read in less. */
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
  <p>It takes a moment after an installation or an upgrade. The page reloads by itself.</p>
  <p lang="ko">페이지를 만들고 있어요. 다 되면 저절로 열려요.</p>
</html>
`

/** What is said of a file beside what it is. */
interface Framing {
  status: number
  headers: Record<string, string>
}

export class Site {
  /** Undefined where it could not be made. */
  readonly #client: Promise<Client | undefined>
  readonly #patienceMs: number
  #isSettled = false

  /**
   * Requests wait for the client for a moment. After that, or when it cannot be built, a page of its own
   * says so.
   */
  constructor(client: Promise<Client>, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs
    this.#client = client
      .catch(() => undefined)
      .finally(() => {
        this.#isSettled = true
      })
  }

  /** Answers what is the client's; calls `pass` for all else. */
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
  /** Resolves when pages are served, or cannot be. */
  ready: Promise<void>
  close(): Promise<void>
}

/** The site of this project, whose client is built first where it is not yet. */
export function openSite(log: Logger, root = ROOT, language: Language = 'ko'): OpenedSite {
  const closing = new AbortController()
  const prepare = async (): Promise<Client> => {
    const started = performance.now()
    const slow = setTimeout(
      () => log.info('building the web client: pages follow, the API works'),
      1000,
    )
    try {
      const { folder, isNew } = await buildClient({ signal: closing.signal, root })
      const ms = Math.round(performance.now() - started)
      if (isNew) log.info({ ms }, 'the web client is built')
      return await readClient(folder, pathsFileOf(root), language)
    } catch (error) {
      if (!closing.signal.aborted) {
        const { message: reason } = error as Error
        log.error({ reason }, 'the web client cannot be built: the API is served without it')
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

function framingOf(path: string, { type }: ClientFile): Framing {
  return {
    status: 200,
    headers: {
      'cache-control': lifetimeOf(path),
      'content-security-policy': type.startsWith('text/javascript') ? SCRIPT_POLICY : FILE_POLICY,
      vary: 'Accept-Encoding',
    },
  }
}

/** Browsers and feed readers ask for the icon at this address without being told of it, and often. */
function lifetimeOf(path: string): string {
  if (path.startsWith('/assets/')) return FOREVER
  return path === '/favicon.ico' ? DAY : 'no-cache'
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ClientFile,
  { status, headers }: Framing,
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

/** Whether the caller names pages among what it takes, as browsers do when they go somewhere. */
function asksForPage(request: FastifyRequest): boolean {
  return takesType(request, /^text\/html$/)
}

/** Whether a page is among what the caller takes; who says nothing takes anything. */
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
