import type { FastifyRequest } from 'fastify'

/** True when the caller reads this encoding (RFC 9110, section 12.5.3). */
export function takes({ headers }: FastifyRequest, encoding: 'gzip' | 'br'): boolean {
  return (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name = '', ...weights] = part.split(';').map((text) => text.trim())
      return name === encoding && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
    })
}
