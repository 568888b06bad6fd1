import { hash } from 'node:crypto'

/**
 * Returns a weak validator over `data` alone, so that a new `meta` does not change it (RFC 9110,
 * section 8.8.3).
 */
export function etagOf(data: string): string {
  return `W/"${hash('sha1', data, 'base64url')}"`
}

/** True when an `If-None-Match` header contains this validator, compared weakly. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
