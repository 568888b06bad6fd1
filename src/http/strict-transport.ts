import type { FastifyInstance } from 'fastify'

/** One year, without `includeSubDomains`, because other hosts of the domain may not support TLS. */
const POLICY = 'max-age=31536000'

/** Adds Strict-Transport-Security (RFC 6797) to every response if the public URL uses https. */
export function sendStrictTransport(app: FastifyInstance, url: string | undefined): void {
  if (!url?.toLowerCase().startsWith('https:')) return
  // Listens on the Node server, because Fastify answers some requests without running its hooks.
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', POLICY)
  })
}
