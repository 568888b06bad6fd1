import { hash } from 'node:crypto'

/**
 * Returns a weak ETag of `data` (RFC 9110, section 8.8.3). It is weak because `meta` differs in each response.
 */
export function etagOf(data: string): string {
  return `W/"${hash('sha1', data, 'base64url')}"`
}

/** True when an `If-None-Match` header is `*` or contains this ETag (weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
