/** HTTP Strict Transport Security (RFC 6797). */
import type { FastifyInstance } from 'fastify'

/** A year, for this host alone: other hosts of the domain are not Plaza's to decide about. */
const POLICY = 'max-age=31536000'

/** Sends the policy with every response when visitors reach the server at an https address. */
export function sendStrictTransport(app: FastifyInstance, url: string | undefined): void {
  if (!url?.toLowerCase().startsWith('https:')) return
  // Below the framework, which answers some requests without its hooks.
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', POLICY)
  })
}
