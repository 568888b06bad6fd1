/** HTTP Strict Transport Security (RFC 6797). */
import type { FastifyInstance } from 'fastify'

/** One year, for this host only. Plaza must not decide for other hosts of the domain. */
const POLICY = 'max-age=31536000'

/** Sends the policy with every response when the public URL is https. */
export function sendStrictTransport(app: FastifyInstance, url: string | undefined): void {
  if (!url?.toLowerCase().startsWith('https:')) return
  // Set on the Node server, because Fastify answers some requests without running its hooks.
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', POLICY)
  })
}
