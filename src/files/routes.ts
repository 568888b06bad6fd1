/** Uploaded files and what was made of them, as they are: outside prefix and envelope, for everybody. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { corsHeaders } from '../http/cors.ts'
import { sendFile } from '../http/file.ts'
import { isPath, type Store } from '../storage/store.ts'
import type { HiddenFiles } from './hidden.ts'
import { servedAs } from './types.ts'

const PREFIX = '/uploads/'
/** The files of uploads, named by their hash, and what stands in folders so named. Bundles are not for all. */
const PUBLIC = /^[0-9a-f]{64}[./]/

/**
 * A page that somebody brings a browser to make of a file can run nothing, load nothing but that
 * file, and has no origin. Browsers' own viewers of pictures and media go on working.
 */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

interface Options {
  hidden: HiddenFiles
  store: Store
  corsOrigins: readonly string[]
}

export function registerFiles(app: FastifyInstance, { hidden, store, corsOrigins }: Options): void {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    // As it was sent: the name of no file has a character that must be encoded.
    const path = request.url.slice(PREFIX.length).split('?', 1)[0] as string
    const served = PUBLIC.test(path) && isPath(path) ? servedAs(path) : undefined
    if (!served || (await hidden.has(path))) throw new ApiError('UPLOAD_NOT_FOUND')
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
      'cache-control': 'public, max-age=31536000, immutable',
      ...lastingCors(request.headers.origin, corsOrigins),
    }
    // What stands under a path never changes.
    return sendFile(request, reply, file, { etag: `"${path}"`, headers })
  }
  app.route({ method: ['GET', 'HEAD'], url: `${PREFIX}*`, handler: send })
}

/**
 * CORS for an answer that is kept for a year: where every origin may read it, it says so to those
 * that do not ask too, since what a picture's element fetched may be read by a script later.
 */
function lastingCors(origin: string | undefined, allowed: readonly string[]) {
  if (allowed.includes('*')) return corsHeaders('*', allowed)
  return { ...corsHeaders(origin, allowed), vary: 'Origin' }
}
