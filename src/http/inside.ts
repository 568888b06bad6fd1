/** Calls of programs within this process, over no network. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `fetch` that hands requests to `app`, which treats them as it treats those of others. What the caller
 * has in its async context the handlers have too. Bodies are texts and blobs; no signal ends a request.
 * To be called before `app` is ready.
 */
export function fetchInside(app: FastifyInstance): typeof fetch {
  // What stands for a connection here lacks what a request with a body asks of one, which is here at once.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { socket } = raw
    Object.assign(socket, { setTimeout: () => socket, bytesRead: 0 })
    Object.assign(raw, { complete: true })
    done()
  })
  return async (target, { method = 'GET', headers, body } = {}) => {
    const payload = body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : body
    if (payload && typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      throw new TypeError('a body is a text or a blob here')
    }
    // As from a socket, each in a turn of its own: timers and others get theirs in between.
    await nextTurn()
    const answer = await app.inject({
      method: method as Method,
      url: String(target),
      headers: Object.fromEntries(new Headers(headers)),
      ...(payload && { payload }),
    })
    const { statusCode: status, rawPayload } = answer
    const received = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return new Response(status === 204 ? null : new Uint8Array(rawPayload), {
      status,
      headers: received as [string, string][],
    })
  }
}
