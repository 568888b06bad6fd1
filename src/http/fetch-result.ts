/** Outcome of a request that this server sends. */

/** `connect` includes a connection that broke later and a response that is not HTTP. */
export type Failure =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'blocked_address'
  | 'redirect'
  | 'http_status'

/** Result of a request. The receiver accepted it only if `error` is null. */
export interface FetchResult {
  /** Null when no response came. */
  status: number | null
  /** Start of the raw response body decoded as UTF-8. It is never decompressed, and NUL is replaced. */
  body: string
  error: Failure | null
  durationMs: number
  /** Value of the Retry-After header in seconds; null without one. */
  retryAfter: number | null
}

export function failureOf(status: number): Failure | null {
  if (status < 300) return null
  return status < 400 ? 'redirect' : 'http_status'
}

/** Returns the seconds of a Retry-After header in either form (RFC 9110, section 10.2.3), or null. */
export function secondsToWait(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const seconds = Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/**
 * Decodes UTF-8. A character that is cut off at the end is dropped. NUL and invalid bytes are replaced.
 */
export function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')
}
