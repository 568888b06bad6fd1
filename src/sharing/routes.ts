/** Routes for other sites, outside the API prefix: pages to embed, and oEmbed responses. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { originOf, standardHeaders } from '../http/envelope.ts'
import { etagOf, matchesEtag } from '../http/etag.ts'
import { readQuery, validQuery } from '../http/query.ts'
import { languageOf } from '../messages/language.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'
import { siteUrl, type SiteUrlSettings } from '../site-settings.ts'
import { EMBED_HEADERS, embedPage, missingPage } from './embed.ts'
import { type OembedInput, oembedOf, OembedQuery, oembedXml, thumbnailSize } from './oembed.ts'
import { findPictureSize, requireEmbeddable } from './rules.ts'

export interface SharingDeps extends Pick<CoreDeps, 'db' | 'load' | 'clock'> {
  config: Fixed & SiteUrlSettings
}

const HTML = 'text/html; charset=utf-8'
const UPLOADS = '/uploads/'
/** Matches the paths of a content page and of its embedded form. */
const TARGET = /^\/(?:contents|embed)\/([^/]+)\/?$/

export function registerSharing(app: FastifyInstance, deps: SharingDeps): void {
  const { db, load, clock, config } = deps
  const base = siteUrl(config)
  const readSite = async () => ({ ...settingsOf(await findSite(db), config), base })

  app.get<{ Params: { id: string } }>('/embed/:id', async (request, reply) => {
    const language = languageOf(request.headers['accept-language'], request.defaultLanguage)
    const { body, status } = await load.hold(async () => {
      const site = await readSite()
      try {
        const content = await requireEmbeddable(db, request.params.id, site)
        return { body: embedPage(content, site, language), status: 200 }
      } catch (error) {
        // Returns an HTML page with the error message to browsers, because the embedding site shows the response in a
        // frame.
        const isPage = request.headers.accept?.includes('text/html')
        if (!isPage || !(error instanceof ApiError) || error.code !== 'CONTENT_NOT_FOUND') {
          throw error
        }
        return { body: missingPage(site, language), status: 404 }
      }
    })
    reply
      .headers(standardHeaders(originOf(request), clock.now()))
      .headers(EMBED_HEADERS)
      .header('vary', 'Accept, Accept-Language')
    return sendFresh(request, reply, { body, type: HTML, status })
  })

  app.get('/oembed', async (request, reply) => {
    const raw = request.query as Record<string, unknown>
    const query = validQuery(OembedQuery, readQuery(OembedQuery, raw))
    const { url, format = 'json' } = query
    if (url === undefined) throw invalid('url', 'invalid.required')
    if (format !== 'json' && format !== 'xml') throw new ApiError('NOT_IMPLEMENTED')
    const link = await load.hold(() => readLink(url, query))
    const isXml = format === 'xml'
    reply
      .headers(standardHeaders(originOf(request), clock.now()))
      .header('access-control-allow-origin', '*')
    return sendFresh(request, reply, {
      body: isXml ? oembedXml(link) : JSON.stringify(link),
      type: `${isXml ? 'text/xml' : 'application/json'}; charset=utf-8`,
      status: 200,
    })
  })

  /**
   * Returns the oEmbed response for the address of a content page. Errors: 404 ROUTE_NOT_FOUND for other addresses,
   * and for content that other sites may not show.
   */
  async function readLink(url: string, query: OembedInput) {
    const site = await readSite()
    const content = await requireEmbeddable(db, idIn(base, url), site).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'CONTENT_NOT_FOUND') throw error
      throw new ApiError('ROUTE_NOT_FOUND')
    })
    const thumbnail = content.thumbnail_url?.slice(UPLOADS.length)
    const picture = thumbnail === undefined ? undefined : await findPictureSize(db, thumbnail)
    return oembedOf(content, site, query, thumbnailSize(content, picture))
  }
}

/** Returns the content id in `url`, or an empty text if `url` is not a content page of the site `base`. */
function idIn(base: string, url: string): string {
  if (!URL.canParse(url)) return ''
  const { origin, pathname } = new URL(url)
  return origin === new URL(base).origin ? (TARGET.exec(pathname)?.[1] ?? '') : ''
}

/** Sends a response that caches must revalidate before each use. */
function sendFresh(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, status }: { body: string; type: string; status: number },
): FastifyReply {
  const etag = etagOf(body)
  reply.code(status).header('cache-control', 'no-cache').header('etag', etag)
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    return reply.code(304).send()
  }
  return reply.header('content-type', type).send(body)
}
