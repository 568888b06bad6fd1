/** Kind of failure. `connect` also covers broken connections and responses that are not HTTP. */
export type Failure =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'blocked_address'
  | 'redirect'
  | 'http_status'

export interface FetchResult {
  /** Null when no response arrived. */
  status: number | null
  /** Start of the body as UTF-8 with NUL replaced. Compressed bodies are not decompressed. */
  body: string
  /** Null only for a 2xx status. */
  error: Failure | null
  durationMs: number
  /** Seconds until a retry, from the Retry-After header; null without a valid header. */
  retryAfter: number | null
}

export function failureOf(status: number): Failure | null {
  if (status < 300) return null
  return status < 400 ? 'redirect' : 'http_status'
}

/**
 * Returns the seconds to wait according to a Retry-After header, a number or a date (RFC 9110, section 10.2.3).
 * Returns null for an invalid or missing header.
 */
export function secondsToWait(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const seconds = Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** Decodes UTF-8 that may be cut off. Drops an incomplete last character. Replaces NUL and invalid bytes. */
export function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')
}
