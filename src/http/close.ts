/** How a listener ends without breaking a request. */
import { Server as NetServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that requests in flight get to end (contract, section 4, Starting). */
const DRAIN_MS = 10_000
/** Idle keep-alive connections are closed after so long without a request, so that one on its way is met. */
const LINGER_MS = 500

/**
 * Follows the connections of a listener, and gives what ends it: it stops listening once nobody waits to
 * be let in, and answers what comes on open connections, telling each to close, until none is left or the
 * time is over.
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
  // Whoever is told to close before the end of the socket comes in again, only to be reset.
  await letIn(server)
  const started = performance.now()
  let lastAt = started
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close')
    lastAt = performance.now()
  })
  // Not `server.close()`, which cuts idle connections on which a request may be under way.
  const ended = new Promise<void>((resolve) => {
    if (server.listening) NetServer.prototype.close.call(server, () => resolve())
    else resolve()
  })
  const isQuiet = () => performance.now() - lastAt > LINGER_MS
  const closeIdle = () => {
    server.closeIdleConnections()
    // To Node a connection is idle only after its first request: browsers open some before they ask.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  const idle = setInterval(() => {
    // Again after what has come was read: in the socket's buffer a request makes nothing busy yet.
    if (isQuiet()) setImmediate(() => isQuiet() && closeIdle())
    if (performance.now() - started > DRAIN_MS) server.closeAllConnections()
  }, 100)
  await ended
  clearInterval(idle)
  await app.close()
}

/**
 * Takes in who connected while the process was busy: one comes in with each turn of the loop, and
 * the end of the listening socket would reset those who wait.
 */
async function letIn(server: NetServer): Promise<void> {
  const started = performance.now()
  // The turn under way may be past the place where one comes in.
  let turnsWithout = 0
  const count = () => {
    turnsWithout = 0
  }
  server.on('connection', count)
  while (turnsWithout < 2 && performance.now() - started < LINGER_MS) {
    turnsWithout++
    await new Promise(setImmediate)
  }
  server.off('connection', count)
}
