/** How a listener ends without breaking a request. */
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that requests in flight get to end (contract, section 4, Starting). */
const DRAIN_MS = 10_000
/** Idle keep-alive connections are closed after so long without a request, so that one on its way is met. */
const LINGER_MS = 500
/** At most so long those who come are still let in. */
const LET_IN_MS = 2000
/** How many times as long as its last turn the loop lets in who comes. */
const TURNS_WAITED = 50

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
  const started = performance.now()
  // Whoever is told to close before the end of the socket comes in again, only to be reset.
  await letIn(server)
  // Not `server.close()`, which cuts idle connections on which a request may be under way.
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
 * Takes in who connected while the process was busy: one comes in with each turn of the loop, and the end of
 * the listening socket resets those who wait, and whoever comes between the last turn and that end. So the
 * last turn lets nobody in and is short, the less so the longer this takes; and it follows upon a sleep,
 * since a process that has just slept is seldom put off its processor in the middle.
 */
async function letIn(server: NetServer): Promise<void> {
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
      now - started > LET_IN_MS
  }
  server.off('connection', count)
}
