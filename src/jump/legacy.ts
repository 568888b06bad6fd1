/** Redirects the former URLs of games to the current ones. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { corsHeaders } from '../http/cors.ts'
import { originOf, standardHeaders } from '../http/envelope.ts'
import { PREFIX } from '../http/route.ts'

const FORMER = {
  '/games': 'GET',
  '/games/:id': 'GET',
  '/games/:id/play': 'POST',
  '/games/:id/stream': 'POST',
  '/games/:id/swf': 'POST',
} as const

/**
 * Maximum length of a URL that is redirected. A response contains the URL twice, and clients limit headers to
 * 16 KiB.
 */
const URL_MAX = 4096

/** Registers redirects from the FORMER paths. Status 308 preserves the method and body. The new URL keeps the query. */
export function registerLegacyGames(
  app: FastifyInstance,
  { corsOrigins, now }: { corsOrigins: readonly string[]; now: () => number },
): void {
  const redirect = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.url.length > URL_MAX) throw new ApiError('GAME_NOT_FOUND')
    return reply
      .code(308)
      .headers(standardHeaders(originOf(request), now()))
      .headers(corsHeaders(request.headers.origin, corsOrigins))
      .header('vary', 'Accept-Language, Origin')
      .header('location', locationOf(request))
      .send()
  }
  for (const [path, method] of Object.entries(FORMER)) {
    const config = { successor: locationOf }
    app.route({ method, url: PREFIX + path, config, handler: redirect })
  }
}

/**
 * Matches the scheme and host of a request URL in absolute form. Servers must accept this form (RFC 9112,
 * section 3.2.2).
 */
const SERVER = /^https?:\/\/[^/]*/i

/**
 * Returns the current URL for a former URL, or the URL of the list when the former URL is too long. Replaces the first
 * path segments without comparing them, because they may be percent-encoded.
 */
function locationOf({ url }: FastifyRequest): string {
  if (url.length > URL_MAX) return `${PREFIX}/jump/games`
  const rest = url.replace(SERVER, '').split('/').slice(PREFIX.split('/').length)
  return `${PREFIX}/jump/${rest.join('/')}`
}
