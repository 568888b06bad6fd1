/** Shuts a listener down without breaking a request. */
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that requests in flight get to finish (contract, section 4, Starting). */
const DRAIN_MS = 10_000
/**
 * Idle keep-alive connections close after this long without a request, so that a request on its way
 * still arrives.
 */
const LINGER_MS = 500
/** Maximum milliseconds for accepting connections that are already queued. */
const LET_IN_MS = 2000
/**
 * The accept queue counts as empty after a turn of the event loop that accepts no connection and takes less
 * than 1/50 of the time waited so far.
 */
const TURNS_WAITED = 50

/**
 * Tracks the connections of a listener and returns a function that shuts it down. That function stops
 * listening once the accept queue is empty. Requests on open connections are still answered, with
 * `connection: close`, until all connections are closed or DRAIN_MS have passed.
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
  // Accepts queued connections first: a client told to close would reconnect and be reset.
  await letIn(server)
  // Not `server.close()`, which closes idle connections although a request may be on its way.
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
    // Node counts a connection as idle only after its first request, but browsers open some in advance.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  const idle = setInterval(() => {
    // Checks again after pending reads: a request still in the socket's buffer does not count as
    // activity.
    if (isQuiet()) setImmediate(() => isQuiet() && closeIdle())
    if (performance.now() - started > DRAIN_MS) server.closeAllConnections()
  }, 100)
  await ended
  clearInterval(idle)
  await app.close()
}

/**
 * Accepts the connections that queued while the process was busy. Each turn of the event loop accepts
 * one. Closing the listening socket resets the connections that are still queued, and those that arrive
 * between the last turn and the close. So the last turn must accept none and be short, and the limit
 * grows with the time waited. Each turn follows a sleep, because the operating system seldom preempts a
 * process that has just slept.
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
