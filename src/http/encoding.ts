import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export type Coding = 'br' | 'gzip'

const CODINGS: readonly Coding[] = ['br', 'gzip']
/** Minimum length in characters of a text to compress. Compressing shorter texts saves next to nothing. */
const COMPRESSED_FROM = 1024
const TEXT_TYPE = /^(?:application\/(?:json|(?:[\w.-]+\+)?xml)|text\/(?:html|xml))\b/

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/**
 * Maximum length in characters of a stored text that gets the highest Brotli level. That level takes seconds
 * for longer texts.
 */
const SLOWLY_UP_TO = 2 ** 20

/**
 * Compresses a text on another thread. `isStored` selects a slower, higher level, for a text that is compressed
 * once and sent many times.
 */
export function compress(text: string, coding: Coding, isStored = false): Promise<Buffer> {
  if (coding === 'gzip') return toGzip(text, { level: isStored ? 9 : 4 })
  const quality = !isStored ? 4 : text.length > SLOWLY_UP_TO ? 9 : 11
  return toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

/**
 * Returns the content coding for a response. Returns undefined when the client accepts neither Brotli nor gzip, or
 * when the text is too short.
 */
export function codingFor(request: FastifyRequest, text: string): Coding | undefined {
  const accepted = request.headers['accept-encoding']
  if (accepted === undefined || text.length < COMPRESSED_FROM) return undefined
  return CODINGS.find((coding) => takes(request, coding))
}

/** Compresses JSON, HTML and XML that Fastify sends, such as errors and feeds. */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || reply.hasHeader('content-encoding')) return payload
    if (!TEXT_TYPE.test(String(reply.getHeader('content-type')))) return payload
    const vary = reply.getHeader('vary')
    const names = vary === undefined ? [] : String(vary).split(', ')
    if (!names.includes('Accept-Encoding')) {
      reply.header('vary', [...names, 'Accept-Encoding'].join(', '))
    }
    const coding = codingFor(request, payload)
    if (!coding) return payload
    reply.header('content-encoding', coding).removeHeader('content-length')
    return compress(payload, coding)
  })
}

/** True when the client names this coding with a weight above 0 (RFC 9110, section 12.5.3). Ignores `*`. */
export function takes({ headers }: FastifyRequest, encoding: Coding): boolean {
  return (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name = '', ...weights] = part.split(';').map((text) => text.trim())
      return name === encoding && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
    })
}
