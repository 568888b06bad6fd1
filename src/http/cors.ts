/**
 * CORS headers (Fetch standard). They do not allow credentials such as cookies, because clients send tokens in
 * a header.
 */

const EXPOSED = [
  'X-Request-ID',
  'X-API-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Link',
  'Deprecation',
  'Idempotent-Replayed',
  'Content-Language',
  'Content-Range',
  'Accept-Ranges',
].join(', ')
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'X-API-Key',
  'X-Request-ID',
  'Accept-Language',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'If-Range',
  // Tracing libraries add these headers to every request (W3C Trace Context and Baggage; Sentry).
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
].join(', ')

/** Returns the headers that allow this origin to read the response, or no headers when it is not allowed. */
export function corsHeaders(
  origin: string | undefined,
  allowed: readonly string[],
): Record<string, string> {
  if (origin === undefined) return {}
  const any = allowed.includes('*')
  if (!any && !allowed.includes(origin)) return {}
  return {
    'access-control-allow-origin': any ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
  }
}

export function preflightHeaders(methods: string): Record<string, string> {
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': '600',
  }
}
