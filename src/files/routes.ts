/** Serves uploaded files. These routes are outside the API prefix and send no envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import { corsHeaders } from '../http/cors.ts'
import { sendFile } from '../http/file.ts'
import { isPath, type Store } from '../storage/store.ts'
import type { HiddenFiles } from './hidden.ts'
import { isAnyBlocked } from '../uploads/queries.ts'
import { servedAs } from '../storage/file-types.ts'

const PREFIX = '/uploads/'
/**
 * Matches paths of uploads and renditions, which start with a hash. Does not match `bundles/…`, because only
 * the games origin serves the files of bundles.
 */
const PUBLIC = /^[0-9a-f]{64}[./]/

/**
 * Policy that sandboxes a file when a browser displays it as a page. The browser's built-in viewers still work.
 */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

interface Options {
  db: Handle
  hidden: HiddenFiles
  store: Store
  corsOrigins: readonly string[]
}

export function registerFiles(app: FastifyInstance, options: Options): void {
  const { db, hidden, store, corsOrigins } = options
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    // Uses the path without decoding, because valid file names contain no characters that need encoding.
    const path = request.url.slice(PREFIX.length).split('?', 1)[0] as string
    const served = PUBLIC.test(path) && isPath(path) ? servedAs(path) : undefined
    if (!served || (await isAnyBlocked(db, [path.slice(0, 64)])) || (await hidden.has(path)))
      throw new ApiError('UPLOAD_NOT_FOUND')
    const file = await store.open(path)
    if (!file) throw new ApiError('UPLOAD_NOT_FOUND')
    const headers = {
      'x-api-version': 'v1',
      'x-request-id': request.id,
      'content-type': served.type,
      ...(!served.isShown && { 'content-disposition': 'attachment' }),
      'x-content-type-options': 'nosniff',
      'content-security-policy': POLICY,
      'cross-origin-resource-policy': 'cross-origin',
      // Browsers cache the file for a year. Shared caches drop a blocked file within an hour.
      'cache-control': 'public, max-age=31536000, s-maxage=3600, immutable',
      ...lastingCors(request.headers.origin, corsOrigins),
    }
    // The content at a path never changes, so the path can serve as the ETag.
    return sendFile(request, reply, file, { etag: `"${path}"`, headers })
  }
  app.route({ method: ['GET', 'HEAD'], url: `${PREFIX}*`, handler: send })
}

/**
 * Returns CORS headers for a response that is cached for a year. If `*` is allowed, returns them for requests without
 * Origin too: a browser may cache the file for an image, and later pass this copy to a script.
 */
function lastingCors(origin: string | undefined, allowed: readonly string[]) {
  if (allowed.includes('*')) return corsHeaders('*', allowed)
  return { ...corsHeaders(origin, allowed), vary: 'Origin' }
}
