import type { FastifyRequest } from 'fastify'

export const CSV_TYPE = 'text/csv; charset=utf-8'

/**
 * Returns the weight (`q`) of a media type in an `Accept` header (RFC 9110, section 12.5.1). Returns 1 when `q`
 * is missing, and 0 when the header does not name the type. Ignores wildcards.
 */
function weightOf(accept: string, type: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    if (name !== type) continue
    const weight = parameters.find((text) => text.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}

/** True when the client names CSV and does not prefer JSON. Ignores wildcards. */
export function prefersCsv({ headers: { accept = '' } }: FastifyRequest): boolean {
  const weight = weightOf(accept, 'text/csv')
  return weight > 0 && weight >= weightOf(accept, 'application/json')
}
