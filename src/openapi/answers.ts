import { ApiError, type ApiErrorOptions, type ErrorCode, ERRORS } from '../errors.ts'
import { failure } from '../http/envelope.ts'
import { isStaff } from '../http/auth.ts'
import { csvOf } from '../http/fields.ts'
import { isShared, needsVerifiedEmail, type RouteRecord, statusesOf } from '../http/declaration.ts'
import type { Header, Ref, Response, Schema } from './types.ts'

const JSON_CONTENT = 'application/json'
const EXAMPLE_ID = '01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11'
const EXAMPLE_TIME = Date.parse('2026-11-21T08:12:45.120Z')

const text = (description: string, more: Schema = {}): Header => ({
  description,
  schema: { type: 'string', ...more },
})
const whole = (description: string, more: Schema = {}): Header => ({
  description,
  schema: { type: 'integer', ...more },
})

export const HEADERS = {
  'X-API-Version': text('Major version of the API', { const: 'v1' }),
  'X-Request-ID': text('The `X-Request-ID` of the request if it was a UUID, else a new UUID', {
    format: 'uuid',
  }),
  'X-RateLimit-Limit': whole('Fixed placeholder'),
  'X-RateLimit-Remaining': whole('Fixed placeholder'),
  'X-RateLimit-Reset': whole('Start of the next minute, in seconds since 1970'),
  'Content-Language': text('Language of the messages', { enum: ['ko', 'en'] }),
  'Cache-Control': text('Whether and for how long the response may be cached'),
  ETag: text('Validator of `data`, for `If-None-Match`'),
  'Idempotent-Replayed': text('`true` when this is the stored response of an earlier request', {
    const: 'true',
  }),
  'Retry-After': whole('Seconds to wait'),
  'WWW-Authenticate': text('How to authenticate'),
  'Content-Range': text('The range in this response, and the size of the file'),
  Deprecation: text('Date since which the route is deprecated (RFC 9745)'),
  Link: text('The route to use instead, as `rel="successor-version"`'),
  RateLimit: text('Remaining quota, on servers that enforce quotas'),
  'RateLimit-Policy': text('Size of the quota, on servers that enforce quotas'),
} satisfies Record<string, Header>

type HeaderName = keyof typeof HEADERS

const STANDARD: readonly HeaderName[] = [
  'X-API-Version',
  'X-Request-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Content-Language',
]

export const DEPRECATION: readonly HeaderName[] = ['Deprecation', 'Link']

export function headersOf(...names: HeaderName[]): Record<string, Ref> {
  return Object.fromEntries(
    [...STANDARD, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}

export const META: Schema = {
  type: 'object',
  required: ['request_id', 'timestamp', 'version'],
  properties: {
    request_id: {
      type: 'string',
      description: '`req_` followed by the UUID of the `X-Request-ID` header',
    },
    timestamp: { type: 'string', format: 'date-time' },
    version: { type: 'string', const: 'v1' },
  },
}

export const FAILURE: Schema = {
  type: 'object',
  required: ['success', 'error', 'meta'],
  properties: {
    success: { type: 'boolean', const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { $ref: '#/components/schemas/ErrorCode' },
        message: { type: 'string', description: 'In the language of the request' },
        details: {
          type: 'array',
          description:
            'With `VALIDATION_ERROR`, one entry per invalid field. With `UNSUPPORTED_MEDIA_TYPE`, the uploaded file',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: {
              field: {
                type: 'string',
                description: 'Path of the field, such as `redirect_uris.1`',
              },
              message: { type: 'string' },
            },
          },
        },
      },
    },
    meta: { $ref: '#/components/schemas/Meta' },
  },
}

export const ERROR_CODE: Schema = {
  type: 'string',
  description: 'Later versions may add codes',
  enum: Object.keys(ERRORS),
}

const EXAMPLE_OPTIONS: Partial<Record<ErrorCode, ApiErrorOptions>> = {
  VALIDATION_ERROR: { problems: [{ field: 'body', key: 'invalid.required' }] },
  RATE_LIMITED: { retryAfter: 30 },
  RANGE_NOT_SATISFIABLE: { headers: { 'content-range': 'bytes */2048' } },
}

function exampleFailure(code: ErrorCode) {
  const origin = { requestId: EXAMPLE_ID, language: 'en' as const }
  return failure(new ApiError(code, EXAMPLE_OPTIONS[code]), origin, EXAMPLE_TIME)
}

/** Returns the headers that the server sends only with this error code. */
function headersWith(code: ErrorCode): HeaderName[] {
  const sent = exampleFailure(code).headers
  return (Object.keys(HEADERS) as HeaderName[]).filter((name) => name.toLowerCase() in sent)
}

export function takesIdempotencyKey({ method, auth, file }: RouteRecord): boolean {
  return method === 'POST' && auth !== 'public' && !file
}

/**
 * Returns the error codes of a route: those that it declares, and those that follow from its auth mode, body,
 * query, ids and method.
 */
export function errorsOf(route: RouteRecord): Set<ErrorCode> {
  const { method, auth, file, query, params = {}, errors = [] } = route
  const body = route.body ?? file
  const codes = new Set<ErrorCode>(errors)
  if (auth !== 'public' && auth !== 'optional') codes.add('UNAUTHORIZED')
  if (isStaff(auth)) codes.add('FORBIDDEN')
  if (needsVerifiedEmail(route)) codes.add('EMAIL_NOT_VERIFIED')
  for (const param of Object.values(params)) if ('id' in param) codes.add(param.missing)
  if (body) codes.add('UNSUPPORTED_MEDIA_TYPE').add('PAYLOAD_TOO_LARGE').add('REQUEST_TIMEOUT')
  if (takesIdempotencyKey(route)) codes.add('REQUEST_IN_PROGRESS')
  if (body || query || takesIdempotencyKey(route)) codes.add('VALIDATION_ERROR')
  if (method !== 'GET') codes.add('STORAGE_FULL')
  return codes.add('RATE_LIMITED').add('INTERNAL_ERROR').add('SERVICE_UNAVAILABLE')
}

function byStatus(codes: ReadonlySet<ErrorCode>): Map<number, ErrorCode[]> {
  const ordered = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code))
  return Map.groupBy(ordered, (code) => ERRORS[code])
}

export function responsesOf(
  route: RouteRecord,
  toSchema: (data: Schema) => Schema,
): Record<string, Response | Ref> {
  return { ...successOf(route, toSchema), ...failuresOf(errorsOf(route), moreHeaders(route)) }
}

/** Returns the names of the headers that a route adds to its responses because the route is deprecated. */
function moreHeaders({ successor }: RouteRecord): readonly HeaderName[] {
  return successor === undefined ? [] : DEPRECATION
}

/**
 * Returns the error responses of an operation by status. `more` lists headers in addition to the standard
 * headers.
 */
export function failuresOf(
  codes: ReadonlySet<ErrorCode>,
  more: readonly HeaderName[] = [],
): Record<string, Ref> {
  return Object.fromEntries(
    [...byStatus(codes)].map(([status, group]) => [
      status,
      { $ref: `#/components/responses/${nameOf(group, more)}` },
    ]),
  )
}

/** Returns all error responses by name. Operations share them, which keeps the document small. */
export function sharedFailures(
  errors: readonly { codes: ReadonlySet<ErrorCode>; isDeprecated: boolean }[],
): Record<string, Response> {
  const responses = errors.flatMap(({ codes, isDeprecated }) => {
    const more = isDeprecated ? DEPRECATION : []
    return [...byStatus(codes).values()].map(
      (group) => [nameOf(group, more), failureOf(group, more)] as const,
    )
  })
  return Object.fromEntries(responses.sort(([left], [right]) => (left < right ? -1 : 1)))
}

function nameOf(codes: readonly ErrorCode[], more: readonly HeaderName[]): string {
  return [...codes, ...(more.length > 0 ? ['deprecated'] : [])].join('.')
}

function failureOf(codes: readonly ErrorCode[], more: readonly HeaderName[]): Response {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOf('Cache-Control', ...codes.flatMap(headersWith), ...more),
    content: { [JSON_CONTENT]: { schema: { $ref: '#/components/schemas/Failure' } } },
  }
}

function successOf(
  route: RouteRecord,
  toSchema: (data: Schema) => Schema,
): Record<string, Response> {
  const { data, example } = route
  const { status, alternative } = statusesOf(route)
  const shared = isShared(route)
  const headers: Record<string, Header | Ref> = headersOf(
    'RateLimit',
    'RateLimit-Policy',
    'Cache-Control',
    ...moreHeaders(route),
    ...(shared ? (['ETag'] as const) : []),
    ...(takesIdempotencyKey(route) ? (['Idempotent-Replayed'] as const) : []),
  )
  if (route.errors?.includes('NOT_IMPLEMENTED')) {
    return { 200: { description: 'This version never returns this response.', headers } }
  }
  if (!data) return { 204: { description: 'Done. The response has no body.', headers } }
  if (example === undefined) throw new Error(`${route.id} has no example of its response`)
  const done = (description: string, schema: Schema) => ({
    description,
    headers,
    content: {
      [JSON_CONTENT]: { schema: successSchema(toSchema(schema)) },
      ...(csvOf(data) && { 'text/csv': { schema: { type: 'string' } } }),
    },
  })
  return {
    [status]: done('Done.', data),
    ...(alternative && {
      [alternative.status]: done(
        alternative.status === 202
          ? 'Waits for a decision.'
          : 'Done before: the existing resource.',
        alternative.data,
      ),
    }),
    ...(shared && {
      304: {
        description: 'Not changed since the response with this `ETag`.',
        headers: headersOf('Cache-Control', 'ETag', ...moreHeaders(route)),
      },
    }),
  }
}

function successSchema(data: Schema): Schema {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data,
      meta: { $ref: '#/components/schemas/Meta' },
    },
    required: ['success', 'data', 'meta'],
  }
}
