import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isMarkup, isPage } from '../bundles/media-types.ts'
import { findBundleFile } from '../bundles/queries.ts'
import { bundlePath } from '../bundles/rules.ts'
import { PLAYED_MODULE } from '../bundles/wasm.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { createHttp } from '../http/app.ts'
import { sendFile } from '../http/file.ts'
import type { Load } from '../http/server/load.ts'
import { sendStrictTransport } from '../http/strict-transport.ts'
import type { Store } from '../storage/store.ts'
import { RUFFLE_PATH, sendOwn, sendRuffle } from './assets.ts'
import { sendBundleFile } from './bundle.ts'
import { FILE_POLICY, ORIGIN_HEADERS, PLAYER_POLICY, WINDOW_POLICY } from './headers.ts'
import type { GameLinks, Purpose } from './links.ts'
import { encodePath, playerPage, windowPage } from './pages.ts'
import { type Game, requireLaunchedGame } from './rules.ts'

export interface GamesDeps {
  db: Db
  store: Store
  clock: Clock
  log: Logger
  config: Pick<Config, 'trustProxy' | 'defaultLanguage' | 'gamesUrl' | 'publicUrl'>
  load: Load
  games: GameLinks
}
type GameRequest = FastifyRequest<{ Params: { token: string; '*': string } }>
type Answer = (game: Game, request: GameRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Cache-Control of game files. Only the requesting browser may cache them, for at most an hour. */
const PRIVATE = 'private, max-age=3600'
const FILE_HEADERS = { 'cache-control': PRIVATE, 'content-security-policy': FILE_POLICY }
const DESTINATION = 'sec-fetch-dest'
/** Content types of error responses by `sec-fetch-dest`. Browsers reject other types and hide the status. */
const EXPECTED_TYPES: Record<string, string> = { script: 'text/javascript', style: 'text/css' }
/**
 * Cache-Control of redirects, whose targets change, and of pages, which must not open after their game is removed.
 */
const FRESH = 'no-store'

/** Builds the server for game files and player pages. It has no API and does not listen yet. */
export function buildGamesApp(deps: GamesDeps): FastifyInstance {
  const { db, log, load, clock, config, games } = deps
  const now = () => clock.now()
  const { trustProxy, defaultLanguage } = config
  const app = createHttp({
    log,
    load,
    trustProxy,
    corsOrigins: ['*'],
    defaultLanguage,
    now,
  })
  sendStrictTransport(app, config.gamesUrl ?? config.publicUrl)
  // Sets the headers on Node's server, because Fastify answers some requests without running its hooks.
  app.server.prependListener('request', (_request, response) => {
    for (const [name, value] of Object.entries(ORIGIN_HEADERS)) response.setHeader(name, value)
  })
  // Sends errors without a body to requests for scripts, styles, pictures and sounds. Browsers would block JSON (ORB)
  // or reject its type, and hide the status.
  app.addHook('onSend', async ({ headers }, reply, body) => {
    if (reply.statusCode < 400 || headers['sec-fetch-mode'] !== 'no-cors') return body
    const type = EXPECTED_TYPES[String(headers[DESTINATION])]
    if (type) reply.type(type)
    else reply.removeHeader('content-type')
    return ''
  })
  const route = (url: string, purpose: Purpose, answer: Answer) =>
    app.route<{ Params: { token: string; '*': string } }>({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const id = games.gameOf(purpose, request.params.token, now())
        return answer(await requireLaunchedGame(db, id), request, reply)
      },
    })

  route('/launch/:token', 'launch', async (game, _request, reply) =>
    reply
      .header('cache-control', FRESH)
      .redirect(`${games.playPath(game.id, now())}/${encodePath(game.entry)}`),
  )
  const players = playerFile(deps)
  route('/play/:token/*', 'play', async (game, request, reply) => {
    const name = request.params['*']
    if (isDocument(name)) {
      // The same URL serves the game itself when a frame requests it.
      reply.header('vary', DESTINATION)
      if (isWindow(request)) return sendWindow(game, request, reply)
    }
    if (game.runtime !== 'html5') return players(game, request, reply)
    const bundle = { db, store: deps.store, sha256: game.file.sha256, cache: PRIVATE }
    return sendBundleFile(request, reply, bundle, name)
  })
  route('/stream/:token', 'stream', uploadedFile(deps))
  route('/swf/:token', 'swf', uploadedFile(deps))

  const asset = (url: string, send: typeof sendOwn) =>
    app.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url: `${url}:name`,
      handler: (request, reply) => send(request, reply, request.params.name),
    })
  asset('/players/', sendOwn)
  asset(RUFFLE_PATH, sendRuffle)
  return app
}

/** True for a path that browsers display as a document, which can contain scripts or links. */
function isDocument(path: string): boolean {
  return path === '' || path.endsWith('/') || isPage(path) || isMarkup(path)
}

/**
 * True when a window, not a frame, requests a document. In browsers without the header Sec-Fetch-Dest,
 * `prelude.js` adds `?window` to the URL instead.
 */
function isWindow({ headers, url }: FastifyRequest): boolean {
  return (headers[DESTINATION] ?? (url.endsWith('?window') ? 'document' : '')) === 'document'
}

function sendWindow(game: Game, { url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .headers({ 'cache-control': FRESH, 'content-security-policy': WINDOW_POLICY })
    .type('text/html; charset=utf-8')
    .send(windowPage(game.title, url.replace(/\?window$/, '')))
}

function playerFile({ db, store }: GamesDeps): Answer {
  return async (game, request, reply) => {
    const { '*': name } = request.params
    if (name === '') {
      return reply
        .headers({ 'cache-control': FRESH, 'content-security-policy': PLAYER_POLICY })
        .type('text/html; charset=utf-8')
        .send(playerPage(game))
    }
    const { sha256, path: uploaded, mimeType } = game.file
    const bounded = await findBundleFile(db, sha256, PLAYED_MODULE)
    const path = bounded ? bundlePath(sha256, bounded.position) : uploaded
    const open = name === 'file' ? await store.open(path) : undefined
    if (!open) throw new ApiError('ROUTE_NOT_FOUND')
    const headers = { ...FILE_HEADERS, 'content-type': mimeType }
    return sendFile(request, reply, open, { etag: `"${path}"`, headers })
  }
}

function uploadedFile({ store }: GamesDeps): Answer {
  return async ({ file }, request, reply) => {
    const open = await store.open(file.path)
    if (!open) throw new ApiError('ROUTE_NOT_FOUND')
    const headers = {
      ...FILE_HEADERS,
      'content-type': file.mimeType,
      'content-disposition': 'attachment',
    }
    return sendFile(request, reply, open, { etag: `"${file.path}"`, headers })
  }
}
