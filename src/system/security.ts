import type { FastifyInstance } from 'fastify'
import type { Config } from '../config-type.ts'
import { ApiError } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { standardHeaders } from '../http/envelope.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'

const DAY_MS = 86_400_000
/** Days until security.txt expires, from the day of the request. RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

interface SecurityDeps extends Pick<CoreDeps, 'db' | 'clock'> {
  config: Fixed & Pick<Config, 'publicUrl' | 'securityContact'>
}

/**
 * Serves the contact for reports of vulnerabilities (RFC 9116): SECURITY_CONTACT, else the site's
 * `security_contact`, else its `contact`. Without any, the path returns 404.
 */
export function registerSecurity(app: FastifyInstance, { config, db, clock }: SecurityDeps): void {
  const path = '/.well-known/security.txt'
  app.get(path, async (request, reply) => {
    const { security_contact, contact } = settingsOf(await findSite(db), config)
    const found = config.securityContact ?? security_contact ?? contact
    if (found === null) throw new ApiError('ROUTE_NOT_FOUND')
    const now = clock.now()
    const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()
    const { publicUrl } = config
    const lines = [
      `Contact: ${found.includes(':') ? found : `mailto:${found}`}`,
      `Expires: ${expires.replace('.000Z', 'Z')}`,
      'Preferred-Languages: ko, en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl}${path}`]),
    ]
    return reply
      .headers(standardHeaders({ requestId: request.id, language: 'en' }, now))
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}
