/** The process of the server: what is opened at the start is closed at the end, in reverse. */
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { Passwords } from './auth/passwords.ts'
import { Chores } from './chores.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { settleStranded } from './contents/conversion.ts'
import { ContentViews } from './contents/views.ts'
import { findFfmpeg } from './conversion/ffmpeg.ts'
import { handleConversions } from './conversion/handler.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import type { Deps } from './deps.ts'
import { Sweep } from './files/sweep.ts'
import { buildGamesApp } from './games/app.ts'
import { GameLinks } from './games/links.ts'
import { listenForGames } from './games/listen.ts'
import { runOnce } from './idempotency/rules.ts'
import { Worker } from './jobs/worker.ts'
import { LastUsed } from './keys/last-used.ts'
import { findKeyHolder } from './keys/rules.ts'
import { spendQuota } from './limits/quota.ts'
import { LastSeen } from './sessions/last-seen.ts'
import { findViewer } from './sessions/rules.ts'
import { openStore } from './storage/open.ts'
import { findBrowser } from './thumbnails/browser.ts'
import { handleThumbnails } from './thumbnails/handler.ts'
import { MediaFactsReader } from './uploads/facts.ts'
import { Deliveries } from './webhooks/deliver.ts'

/** Milliseconds that requests in flight get to end (contract, section 4, Starting). */
const DRAIN_MS = 10_000
/** Idle keep-alive connections are closed only after this, so that a request on its way is met. */
const LINGER_MS = 500

interface RunningServer {
  url: string
  deps: Deps
  /** Takes no new connections, lets requests in flight end, and closes the database. */
  close(): Promise<void>
}

/** Opens the database, brings the schema up to date, and listens. */
export async function startServer(
  config: Config,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<RunningServer> {
  const { deps, sweep, close: closeDeps } = await openDeps(config, { log, clock })
  const { db, worker, deliveries, games } = deps
  handleConversions(deps)
  handleThumbnails(deps, findBrowser(config.chromium, { searchPath: config.searchPath, log }))
  const { app } = buildApp(deps)
  const gamesApp = buildGamesApp(deps)
  const close = async () => {
    await Promise.all([closeHttp(app), closeHttp(gamesApp), worker.close(), deliveries.close()])
    await closeDeps()
  }
  try {
    await listenForGames(gamesApp, config, { links: games, log })
    await app.listen({ host: config.host, port: config.port })
    worker.start()
    deliveries.start()
    sweep.run(db, clock.now()).catch((error: unknown) => log.warn({ err: error }))
  } catch (error) {
    await close()
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return { url: config.publicUrl ?? `http://${host}:${port}`, deps, close }
}

/** What handlers may use, over a database that is up to date. Worker and deliveries are to be started. */
async function openDeps(
  config: Config,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<{ deps: Deps; sweep: Sweep; close(): Promise<void> }> {
  const { store, staging } = await openStore(config)
  const db = openDatabase(config, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  )
  const now = () => clock.now()
  const looking = findFfmpeg(config.ffmpeg, { searchPath: config.searchPath, log })
  try {
    await migrate(db, now)
  } catch (error) {
    staging.close()
    await Promise.all([db.close(), store.close()])
    throw error
  }
  const ffmpeg = await looking
  const warn = (error: unknown) => log.warn({ err: error })
  const lastSeen = new LastSeen(db, now, warn)
  const lastUsed = new LastUsed(db, now, warn)
  const views = new ContentViews(db, now, warn)
  const mediaFacts = new MediaFactsReader()
  const sweep = new Sweep({ store, staging, log })
  const chores = new Chores(db, now, log, [
    function settleWorks(to, at) {
      return settleStranded(to, at, ffmpeg !== undefined)
    },
    function sweepFiles(to, at) {
      return sweep.run(to, at)
    },
  ])
  const deps: Deps = {
    db,
    clock,
    config,
    log,
    corsOrigins: config.corsOrigins,
    passwords: new Passwords(),
    store,
    staging,
    mediaFacts,
    views,
    chores,
    worker: new Worker(db, now, log),
    ffmpeg,
    deliveries: new Deliveries(db, clock, config, log),
    games: new GameLinks(config),
    findViewer: (token) => findViewer(db, token, now(), lastSeen),
    findKeyHolder: (rawKey) => findKeyHolder(db, rawKey, now(), lastUsed),
    runOnce: (request, run) => runOnce(db, request, now(), run),
    checkQuota:
      config.rateLimits === 'enforce' ? (caller) => spendQuota(db, caller, now()) : undefined,
  }
  const close = async () => {
    chores.close()
    staging.close()
    await sweep.close()
    await Promise.all([lastSeen.close(), lastUsed.close(), views.close(), mediaFacts.close()])
    await Promise.all([db.close(), store.close()])
  }
  return { deps, sweep, close }
}

/**
 * Stops listening at once; answers what comes on open connections, telling each to close, until
 * none is left or the time is over.
 */
async function closeHttp(app: FastifyInstance): Promise<void> {
  const { server } = app
  const started = Date.now()
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close')
  })
  // Not `server.close()`, which cuts idle connections on which a request may be under way.
  const ended = new Promise<void>((resolve) => {
    if (server.listening) NetServer.prototype.close.call(server, () => resolve())
    else resolve()
  })
  const idle = setInterval(() => {
    if (Date.now() - started > LINGER_MS) server.closeIdleConnections()
    if (Date.now() - started > DRAIN_MS) server.closeAllConnections()
  }, 100)
  await ended
  clearInterval(idle)
  await app.close()
}
