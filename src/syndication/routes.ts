/** Routes of files for search engines, feed readers and browsers, outside the API prefix and without the envelope. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { standardHeaders } from '../http/envelope.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { type Language, languageOf } from '../messages/language.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, iconVersionOf, settingsOf } from '../site-settings.ts'
import { siteUrl, type SiteUrlSettings } from '../site-settings.ts'
import type { Store } from '../storage/store.ts'
import { type AtomFeed, atomXml } from './atom.ts'
import { readCreatorFeed, readSiteFeed, readTagFeed } from './feeds.ts'
import { ICONS, Icons } from './icons.ts'
import { manifestJson } from './manifest.ts'
import { openSearchXml, robotsText } from './robots.ts'
import { Sitemap } from './sitemap.ts'

const XML = 'application/xml'

export interface SyndicationDeps extends Pick<CoreDeps, 'db' | 'load' | 'clock'> {
  config: Fixed & SiteUrlSettings
  store: Store
}

const HOUR = 3600
const DAY = 86_400
const FEED_SECONDS = 300
const NUMBER = /^[1-9]\d{0,5}$/

export function registerSyndication(app: FastifyInstance, deps: SyndicationDeps): void {
  const { config, db, load, clock } = deps
  const base = siteUrl(config)
  const settings = async () => settingsOf(await findSite(db), config)
  const site = async () => ({ base, name: (await settings()).name })
  const sitemap = new Sitemap(db, base)

  const answerFeed = (path: string, read: (param: string) => Promise<AtomFeed>) =>
    app.get<{ Params: { name?: string } }>(path, async (request, reply) => {
      const body = await load.hold(async () => atomXml(await read(request.params.name ?? '')))
      return sendText(deps, request, reply, {
        body,
        type: 'application/atom+xml',
        seconds: FEED_SECONDS,
      })
    })
  answerFeed('/feed.atom', async () => readSiteFeed(db, await site()))
  answerFeed('/tags/:name/feed.atom', async (tag) => readTagFeed(db, await site(), tag))
  answerFeed('/creators/:name/feed.atom', async (handle) =>
    readCreatorFeed(db, await site(), handle),
  )

  app.get('/sitemap.xml', async (request, reply) => {
    const body = await load.hold(() => sitemap.indexXml(clock.monotonic()))
    return sendText(deps, request, reply, { body, type: XML, seconds: FEED_SECONDS })
  })
  app.get<{ Params: { number: string } }>('/sitemap-:number.xml', async (request, reply) => {
    const { number } = request.params
    if (!NUMBER.test(number)) throw new ApiError('ROUTE_NOT_FOUND')
    const parts = await sitemap.openFile(Number(number), clock.monotonic())
    if (!parts) throw new ApiError('ROUTE_NOT_FOUND')
    // A HEAD request must not read the whole file.
    const sent = request.method === 'HEAD' ? [] : parts
    return reply
      .headers(standardHeaders({ requestId: request.id, language: 'en' }, clock.now()))
      .header('cache-control', `public, max-age=${FEED_SECONDS}`)
      .header('content-type', `${XML}; charset=utf-8`)
      .send(Readable.from(sent))
  })

  app.get('/robots.txt', async (request, reply) => {
    const { ai_crawlers } = await settings()
    const body = robotsText(config.publicUrl, ai_crawlers)
    return sendText(deps, request, reply, { body, type: 'text/plain', seconds: HOUR })
  })
  app.get('/opensearch.xml', async (request, reply) => {
    const body = openSearchXml(await site())
    const type = 'application/opensearchdescription+xml'
    return sendText(deps, request, reply, { body, type, seconds: HOUR })
  })
  app.get('/manifest.webmanifest', async (request, reply) => {
    const { logo_url, ...row } = await findSite(db)
    const shown = settingsOf(row, config)
    const language = languageOf(request.headers['accept-language'], request.defaultLanguage)
    const body = manifestJson(shown, language, iconVersionOf(logo_url, shown.accent))
    reply.header('vary', 'Accept-Language')
    const type = 'application/manifest+json'
    return sendText(deps, request, reply, { body, type, seconds: 0, language })
  })
  const icons = new Icons(deps)
  for (const path of Object.keys(ICONS)) {
    app.get(path, async (request, reply) => {
      const { bytes, etag } = await icons.find(path)
      reply.headers({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': `public, max-age=${DAY}`,
        etag,
      })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.header('content-type', 'image/png').send(bytes)
    })
  }
}

interface Sent {
  body: string
  /** Media type without the charset. */
  type: string
  /** Seconds for which caches may use the response. */
  seconds: number
  /** Default: English. */
  language?: Language
}

function sendText(
  { clock }: Pick<SyndicationDeps, 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, seconds, language = 'en' }: Sent,
): FastifyReply {
  const etag = etagOf(body)
  reply
    .headers(standardHeaders({ requestId: request.id, language }, clock.now()))
    .header('cache-control', `public, max-age=${seconds}`)
    .header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', `${type}; charset=utf-8`).send(body)
}
