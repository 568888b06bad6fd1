import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Maximum milliseconds for requests in flight to finish. */
const DRAIN_MS = 10_000
/**
 * Milliseconds without a new request after which idle connections are closed. A request may still be on its way
 * over a connection that looks idle.
 */
const LINGER_MS = 500
const ACCEPT_MAX_MS = 2000
/**
 * The accept queue counts as empty after one short turn of the event loop that accepted no connection. A turn is short
 * when it takes less than a 50th of the time since the start of closing, so that a busy loop gets more time.
 */
const TURNS_WAITED = 50

/**
 * Tracks the server's connections and returns a function that closes the server. That function accepts queued
 * connections and then stops listening. It answers requests on open connections for up to DRAIN_MS, with
 * `connection: close`.
 */
export function closerOf(app: FastifyInstance): () => Promise<void> {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => closeHttp(app, open)
}

async function closeHttp(app: FastifyInstance, open: ReadonlySet<Socket>): Promise<void> {
  const { server } = app
  const started = performance.now()
  // Accepts queued connections first, because closing the listening socket would reset them.
  await acceptQueued(server)
  // `server.close()` would also close idle connections on which a request may be arriving.
  const ended = new Promise<void>((resolve) => {
    if (server.listening) NetServer.prototype.close.call(server, () => resolve())
    else resolve()
  })
  let lastAt = performance.now()
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close')
    lastAt = performance.now()
  })
  const isQuiet = () => performance.now() - lastAt > LINGER_MS
  const closeIdle = () => {
    server.closeIdleConnections()
    // Node counts a connection as idle only after its first request. Browsers open some connections in advance,
    // so those without a request are closed here.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  const idle = setInterval(() => {
    // Checks again after the event loop has read the sockets, where a request may be waiting.
    if (isQuiet()) setImmediate(() => isQuiet() && closeIdle())
    if (performance.now() - started > DRAIN_MS) server.closeAllConnections()
  }, 100)
  await ended
  clearInterval(idle)
  await app.close()
}

/**
 * Accepts connections that were queued while the process was busy. Closing the listening socket would reset
 * them. A turn of the event loop accepts at most one connection, so the queue is empty after a turn that
 * accepts none. That turn must be short, because connections that arrive later are reset. Each turn follows a
 * sleep, because the operating system seldom preempts a process that has just slept.
 */
async function acceptQueued(server: NetServer): Promise<void> {
  const started = performance.now()
  let came = 0
  const count = () => {
    came++
  }
  server.on('connection', count)
  for (let isQuiet = false; !isQuiet; ) {
    await sleep(1)
    const [turnAt, before] = [performance.now(), came]
    await immediate()
    const now = performance.now()
    isQuiet =
      (came === before && now - turnAt < (turnAt - started) / TURNS_WAITED) ||
      now - started > ACCEPT_MAX_MS
  }
  server.off('connection', count)
}
