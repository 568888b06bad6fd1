/** What becomes of a request that this server sends. */

/** `connect` is also a connection that broke later, and an answer that is not HTTP. */
export type Failure =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'blocked_address'
  | 'redirect'
  | 'http_status'

/** What became of a request. Only where `error` is null did it arrive and was it taken. */
export interface Outcome {
  /** Null when no answer came. */
  status: number | null
  /** The start of the answer's body as it came, read as UTF-8: never decompressed, without NUL. */
  body: string
  error: Failure | null
  durationMs: number
  /** Seconds the answer asks to wait. */
  retryAfter: number | null
}

export function failureOf(status: number): Failure | null {
  if (status < 300) return null
  return status < 400 ? 'redirect' : 'http_status'
}

/** Either form of Retry-After (RFC 9110, section 10.2.3). */
export function secondsToWait(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const seconds = Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** A character the limit cut in two is left out; NUL and what is not UTF-8 are replaced. */
export function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')
}
