import { availableParallelism, loadavg } from 'node:os'
import type { Got } from './client.ts'
import type { Description, Operation } from './document.ts'

/** Maximum response time in milliseconds. */
export const TIME_LIMIT = 1000

/** True when the load average exceeds twice the number of processors. Other programs may then slow down responses. */
export const isMachineBusy = () => (loadavg()[0] ?? 0) > 2 * availableParallelism()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const LEAKS =
  /FST_|SQLITE_|SQLSTATE|node_modules|\.ts:\d|at (?:async )?\w+ \(|ECONN|syntax error|Unexpected token|kysely|typebox/
/** Error codes of requests that reached no route. Operations do not document these codes. */
const OFF_ROUTE = new Set([
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'BAD_REQUEST',
  'HEADERS_TOO_LARGE',
])

interface Asked {
  operation: Operation
  method: string
  /** True when the path may match another route or none. */
  mayMissRoute: boolean
}

export function faultOf(document: Description, asked: Asked, got: Got): string | undefined {
  const { operation, method, mayMissRoute } = asked
  const { status, text, json, headers } = got
  if (status >= 500 && !isAllowed(operation, status)) return `status ${status}`
  const isKnown = !mayMissRoute && method === operation.method
  const isRead = !mayMissRoute && method === 'HEAD' && operation.method === 'GET'
  if (!operation.hasEnvelope && (isKnown || isRead) && status < 400) {
    return undocumented(operation, status)
  }
  const formal = headerFault(headers)
  if (formal) return formal
  if (method === 'HEAD' || status === 204 || status === 304) {
    return text === '' ? undefined : `${method} ${status} with a body`
  }
  // The request may have reached another route, whose response has a different shape.
  if (status < 400 && !isKnown) return undefined
  const shape = envelopeFault(got)
  if (shape) return shape
  if (status >= 400 && LEAKS.test(json.error.message))
    return 'the error message leaks implementation details'
  if (status >= 400 && (!isKnown || OFF_ROUTE.has(json.error.code))) {
    const { code } = json.error
    return mayMissRoute || OFF_ROUTE.has(code) ? offRoute(asked, code) : undefined
  }
  const codes = operation.answers.get(status)
  if (!codes) return `status ${status} is not documented for ${operation.id}`
  if (status >= 400 && !codes.includes(json.error.code)) {
    return `${json.error.code} is not documented for ${operation.id}`
  }
  return document.problemOf(operation, status, json)
}

/**
 * Returns a fault for an error code that only requests without a route may get. Returns undefined if the request may
 * have missed its route.
 */
function offRoute({ method, operation, mayMissRoute }: Asked, code: string): string | undefined {
  // POST /setup returns 404 as soon as an administrator exists.
  const missed = mayMissRoute || method !== operation.method || operation.id === 'createFirstAdmin'
  return missed ? undefined : `${code} for a request to ${operation.id}`
}

function undocumented({ id, answers }: Operation, status: number): string | undefined {
  return answers.has(status) ? undefined : `status ${status} is not documented for ${id}`
}

function isAllowed({ id, answers }: Operation, status: number): boolean {
  if (status === 501) return id === 'signInWithProvider'
  return (status === 503 || status === 507) && answers.has(status)
}

function headerFault(headers: Got['headers']): string | undefined {
  const id = headers['x-request-id']
  if (typeof id !== 'string' || !UUID.test(id)) return 'X-Request-ID is not a UUID'
  if (headers['x-api-version'] !== 'v1') return 'X-API-Version is not v1'
  if (headers['x-ratelimit-limit'] !== '1000') return 'X-RateLimit-Limit is not 1000'
  if (headers['x-ratelimit-remaining'] !== '999') return 'X-RateLimit-Remaining is not 999'
  if (Number(headers['x-ratelimit-reset']) % 60 !== 0)
    return 'X-RateLimit-Reset is not a full minute'
  if (!/^(ko|en)$/.test(String(headers['content-language'])))
    return 'Content-Language is neither ko nor en'
  if (headers['x-content-type-options'] !== 'nosniff')
    return 'X-Content-Type-Options is not nosniff'
  return undefined
}

function envelopeFault({ status, headers, json }: Got): string | undefined {
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return 'Content-Type is not JSON'
  if (typeof json !== 'object' || json === null) return 'the body is not a JSON object'
  if (json.success !== status < 400) return 'success does not match the status'
  const { meta } = json
  if (meta?.request_id !== `req_${String(headers['x-request-id'])}`)
    return 'meta.request_id differs from X-Request-ID'
  if (!TIME.test(meta.timestamp) || meta.version !== 'v1')
    return 'meta has a malformed timestamp or version'
  if (status < 400) return 'data' in json ? undefined : 'data is missing'
  const { code, message } = json.error ?? {}
  if (typeof code !== 'string' || typeof message !== 'string') return 'error is missing'
  return undefined
}
