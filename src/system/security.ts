import type { FastifyInstance } from 'fastify'
import { standardHeaders } from '../http/envelope.ts'

const DAY_MS = 86_400_000
/** Days from the request to the expiry date. RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

interface SecurityDeps {
  /** Contact for security reports. The path returns 404 when this is undefined. */
  securityContact: string | undefined
  publicUrl: string | undefined
  now: () => number
}

export function registerSecurity(app: FastifyInstance, deps: SecurityDeps): void {
  const { securityContact, publicUrl, now } = deps
  if (securityContact === undefined) return
  const path = '/.well-known/security.txt'
  app.get(path, (request, reply) => {
    const expires = new Date((Math.floor(now() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.replace('.000Z', 'Z')}`,
      'Preferred-Languages: ko, en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl}${path}`]),
    ]
    return reply
      .headers(standardHeaders({ requestId: request.id, language: 'en' }, now()))
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}
