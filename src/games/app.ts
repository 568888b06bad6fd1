/** The games origin: a listener of its own, for games and what plays them, and nothing of the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isMarkup, isPage } from '../bundles/media-types.ts'
import { findBundleFile } from '../bundles/queries.ts'
import { bundlePath } from '../bundles/rules.ts'
import { PLAYED_MODULE } from '../bundles/wasm.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { createHttp } from '../http/app.ts'
import { sendFile } from '../http/file.ts'
import { sendStrictTransport } from '../http/strict-transport.ts'
import { RUFFLE_PATH, sendOwn, sendRuffle } from './assets.ts'
import { sendBundleFile } from './bundle.ts'
import { FILE_POLICY, ORIGIN_HEADERS, PLAYER_POLICY, WINDOW_POLICY } from './headers.ts'
import type { Purpose } from './links.ts'
import { encodePath, playerPage, windowPage } from './pages.ts'
import { type Game, requireLaunchedGame } from './rules.ts'

type GamesDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log' | 'config' | 'load' | 'games'>
type GameRequest = FastifyRequest<{ Params: { token: string; '*': string } }>
type Answer = (game: Game, request: GameRequest, reply: FastifyReply) => Promise<FastifyReply>

/** For whoever holds the address, as long as a page is open. */
const PRIVATE = 'private, max-age=3600'
const FILE_HEADERS = { 'cache-control': PRIVATE, 'content-security-policy': FILE_POLICY }
/** Says what the browser loads: a document, a frame, a style and so on. */
const DESTINATION = 'sec-fetch-dest'
/** Browsers refuse an answer of another type for these destinations, whatever its status. */
const EXPECTED_TYPES: Record<string, string> = { script: 'text/javascript', style: 'text/css' }
/** What is different each time, or shows that a game was taken away. */
const FRESH = 'no-store'

/** The server, not listening yet. */
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
  // Below the framework, which answers some requests without its hooks.
  app.server.prependListener('request', (_request, response) => {
    for (const [name, value] of Object.entries(ORIGIN_HEADERS)) response.setHeader(name, value)
  })
  // For a script, style or picture, browsers report a JSON answer as blocked (ORB) or as a wrong type, and
  // hide its status.
  app.addHook('onSend', async ({ headers }, reply, body) => {
    if (reply.statusCode < 400 || headers['sec-fetch-mode'] !== 'no-cors') return body
    const type = EXPECTED_TYPES[String(headers[DESTINATION])]
    if (type) reply.type(type)
    else reply.removeHeader('content-type')
    return ''
  })
  /** Answers whoever has a token for a game. */
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
      // Inside a frame the same address is the game itself.
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

/** True when browsers show the file or folder at this path as a document with scripts or links. */
function isDocument(path: string): boolean {
  return path === '' || path.endsWith('/') || isPage(path) || isMarkup(path)
}

/** True when the answer becomes the document of a window. Browsers without the header send the query. */
function isWindow({ headers, url }: FastifyRequest): boolean {
  return (headers[DESTINATION] ?? (url.endsWith('?window') ? 'document' : '')) === 'document'
}

function sendWindow(game: Game, { url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .headers({ 'cache-control': FRESH, 'content-security-policy': WINDOW_POLICY })
    .type('text/html; charset=utf-8')
    .send(windowPage(game.title, url.replace(/\?window$/, '')))
}

/** The page of the server that plays a module or a film, and beside it the `file` it plays. */
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

/** The main file of a game as it was uploaded. */
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
