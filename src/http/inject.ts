import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Returns a `fetch` that passes requests to `app` without a network connection. Handlers run in the async
 * context of the caller. Bodies must be strings, blobs or buffers. Abort signals have no effect. Call
 * `injectFetch` before `app` is ready.
 */
export function injectFetch(app: FastifyInstance): typeof fetch {
  // Adds a method and two properties that injected requests lack, because code that reads bodies needs them.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { socket } = raw
    Object.assign(socket, { setTimeout: () => socket, bytesRead: 0 })
    Object.assign(raw, { complete: true })
    done()
  })
  return async (target, { method = 'GET', headers, body } = {}) => {
    const payload = body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : body
    if (payload && typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      throw new TypeError('the body must be a string or a Blob')
    }
    // Starts each request in a separate turn of the event loop, so that timers can run in between.
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
