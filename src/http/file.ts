import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { OpenFile } from '../storage/store.ts'
import { metaId } from './envelope.ts'
import { matchesEtag } from './etag.ts'
import { rangeOf } from './range.ts'

interface Description {
  /** Strong ETag in quotes. Equal ETags mean identical bytes. */
  etag: string
  /** Headers for 200, 206 and 304, without those for length and range. */
  headers: Record<string, string>
}

/**
 * Responds to GET or HEAD with a file or a range of it (RFC 9110, sections 13 and 14), and closes the file.
 * Sends 304 when the client has this version already. Errors: 416 RANGE_NOT_SATISFIABLE; FileMissing.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  { etag, headers }: Description,
): Promise<FastifyReply> {
  const { method, headers: asked } = request
  const { sizeBytes } = file
  const range = method === 'GET' && isRangeApplicable(asked, etag) ? asked.range : undefined
  const wanted = rangeOf(range, sizeBytes)
  const isKnown = matchesEtag(asked['if-none-match'], etag)
  const isRead = method === 'GET' && !isKnown && wanted !== 'none' && sizeBytes > 0
  if (!isRead) await file.close()
  if (isKnown) return reply.code(304).headers(headers).header('etag', etag).send()
  if (wanted === 'none') {
    throw new ApiError('RANGE_NOT_SATISFIABLE', {
      headers: { 'content-range': `bytes */${sizeBytes}` },
    })
  }
  const { start, end } = wanted === 'whole' ? { start: 0, end: sizeBytes - 1 } : wanted
  const bytes = isRead ? await file.read({ start, end }) : undefined
  if (bytes instanceof Readable) {
    bytes.on('error', (err) =>
      request.log.warn({ err, request_id: metaId(request.id) }, 'sending file failed'),
    )
  }
  reply.headers(headers)
  if (wanted !== 'whole') {
    reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`)
  }
  return reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-length', String(end - start + 1))
    .send(bytes)
}

/**
 * True when the requested range may be sent: the request has no `If-Range` header, or the header equals the
 * ETag (RFC 9110, section 13.1.5). A date in the header never matches.
 */
function isRangeApplicable(asked: FastifyRequest['headers'], etag: string): boolean {
  const condition = asked['if-range']
  return condition === undefined || condition === etag
}
