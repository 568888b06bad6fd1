/** Files for search engines and browsers. They are outside the API prefix and send no envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { standardHeaders } from '../http/envelope.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'
import { siteUrl, type SiteUrlSettings } from '../site-url.ts'
import { openSearchXml, robotsText } from './robots.ts'

export interface SyndicationDeps extends Pick<CoreDeps, 'db' | 'load' | 'clock'> {
  config: Fixed & SiteUrlSettings
}

const HOUR = 3600

export function registerSyndication(app: FastifyInstance, deps: SyndicationDeps): void {
  const { config, db } = deps
  const settings = async () => settingsOf(await findSite(db), config)

  app.get('/robots.txt', async (request, reply) => {
    const { ai_crawlers } = await settings()
    const body = robotsText(config.publicUrl, ai_crawlers)
    return sendText(deps, request, reply, { body, type: 'text/plain', seconds: HOUR })
  })

  app.get('/opensearch.xml', async (request, reply) => {
    const { name } = await settings()
    const body = openSearchXml(siteUrl(config), name)
    const type = 'application/opensearchdescription+xml'
    return sendText(deps, request, reply, { body, type, seconds: HOUR })
  })
}

interface Sent {
  body: string
  /** Media type without the charset. */
  type: string
  /** Seconds for which caches may use the response. */
  seconds: number
}

function sendText(
  { clock }: Pick<SyndicationDeps, 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, seconds }: Sent,
): FastifyReply {
  const etag = etagOf(body)
  reply
    .headers(standardHeaders({ requestId: request.id, language: 'en' }, clock.now()))
    .header('cache-control', `public, max-age=${seconds}`)
    .header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', `${type}; charset=utf-8`).send(body)
}
