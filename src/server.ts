import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { handleConversions } from './conversion/handler.ts'
import type { Deps } from './deps.ts'
import { handleErasures } from './erasure/handler.ts'
import { handleSweeps } from './moderation/sweep.ts'
import { handleExports } from './exports/handler.ts'
import { buildGamesApp } from './games/app.ts'
import { listenForGames } from './games/listen.ts'
import { injectFetch } from './http/inject.ts'
import { closerOf } from './http/server/close.ts'
import { Load } from './http/server/load.ts'
import { MetricsListener } from './metrics/listen.ts'
import { type Opened, openDeps } from './open.ts'
import { findBrowser } from './thumbnails/browser.ts'
import { handleThumbnails } from './thumbnails/handler.ts'
import { handleSizes } from './thumbnails/sizes.ts'
import type { Site } from './web/site.ts'

interface RunningServer {
  url: string
  /** Address at which this process listens. It can differ from PUBLIC_URL. */
  localUrl: string
  deps: Deps
  /** Waits for requests in flight before it closes the database. */
  close(): Promise<void>
}

/**
 * Starts a server, after migrating the database. Without `runsBackground`, other processes must do the
 * background work. Without `site`, serves only the API.
 */
export async function startServer(
  config: Config,
  options: { log: Logger; clock: Clock; runsBackground?: boolean; site?: Site | undefined },
): Promise<RunningServer> {
  const { log, clock, runsBackground = true, site } = options
  const opened = await openDeps(config, { log, clock, runsBackground })
  const { deps } = opened
  const { app } = buildApp(deps, site)
  const close = await begin(opened, { config, app, runsBackground })
  const { port } = app.server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const localUrl = `http://${host}:${port}`
  return { url: config.publicUrl ?? localUrl, localUrl, deps, close }
}

/**
 * Migrates the database and starts the background work. Serves games on a local address for the browser that takes
 * screenshots.
 */
export async function startWorker(
  config: Config,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<{ close(): Promise<void> }> {
  const local = { ...config, host: '127.0.0.1', port: 0, gamesUrl: undefined }
  const opened = await openDeps(local, { log, clock, runsBackground: true })
  return { close: await begin(opened, { config, app: undefined, runsBackground: true }) }
}

interface InsideServer {
  fetch: typeof fetch
  deps: Deps
  close(): Promise<void>
}

/** Starts a server that does background work but listens on no port. Only this process can send requests to it. */
export async function startInside(
  config: Config,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<InsideServer> {
  // All requests come from this process, so rejecting some under load would only make this process fail.
  const load = new Load({ requests: Infinity, turnMs: Infinity })
  const opened = await openDeps(config, { log, clock, runsBackground: true, load })
  const { deps } = opened
  const { app } = buildApp(deps)
  const close = () => end(opened, [() => app.close()])
  return orClose(close, async () => {
    const fetching = injectFetch(app)
    await app.ready()
    startBackground(deps)
    return { fetch: fetching, deps, close }
  })
}

/**
 * Starts listeners and background work, and returns a function that stops them. If one of them fails to start, stops
 * those already started.
 */
async function begin(
  opened: Opened,
  {
    config,
    app,
    runsBackground,
  }: { config: Config; app: FastifyInstance | undefined; runsBackground: boolean },
): Promise<() => Promise<void>> {
  const { deps } = opened
  const { log } = deps
  const gamesApp = buildGamesApp(deps)
  const apps = app ? [app, gamesApp] : [gamesApp]
  const metrics = deps.metrics && new MetricsListener(deps.metrics, config, log)
  const closers = apps.map(closerOf)
  const close = () => end(opened, closers, metrics)
  return orClose(close, async () => {
    await metrics?.listen()
    await listenForGames(gamesApp, deps.config, { links: deps.games, log })
    const listenTextResolver = (url: string) => `the server listens at ${url}`
    await app?.listen({ host: config.host, port: config.port, listenTextResolver })
    if (runsBackground) startBackground(deps)
    return close
  })
}

function startBackground(deps: Deps): void {
  const { config, log, worker, deliveries, mails } = deps
  handleConversions(deps)
  handleErasures(deps)
  handleSweeps(deps)
  handleExports(deps)
  handleSizes(deps)
  handleThumbnails(deps, findBrowser(config.chromium, { searchPath: config.searchPath, log }))
  worker.start()
  deliveries.start()
  mails.start()
}

async function end(
  { deps: { worker, deliveries, mails }, close }: Opened,
  closers: (() => Promise<void>)[],
  metrics?: MetricsListener,
): Promise<void> {
  const closing = closers.map((closeListener) => closeListener())
  await Promise.all([...closing, worker.close(), deliveries.close(), mails.close()])
  await metrics?.close()
  await close()
}

async function orClose<T>(close: () => Promise<void>, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    await close()
    throw error
  }
}
