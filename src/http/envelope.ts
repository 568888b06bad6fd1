/** Envelope and standard headers of every JSON response (docs/api.md, Responses). */
import { randomUUIDv7 } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode, ERRORS, type Problem } from '../errors.ts'
import { type Language, languageOf, message } from '../messages/language.ts'

const API_VERSION = 'v1'
/** Matches a UUID of any version and variant, including nil and max (RFC 9562, section 4). */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface Origin {
  /** A UUID, without the `req_` prefix of `meta.request_id`. */
  requestId: string
  language: Language
}

export function originOf({ id, headers, defaultLanguage }: FastifyRequest): Origin {
  return { requestId: id, language: languageOf(headers['accept-language'], defaultLanguage) }
}

/**
 * Returns the id and the language of a request that did not reach Fastify. Headers that could not be parsed count as
 * missing.
 */
export function originOfRaw(
  request: Partial<Pick<IncomingMessage, 'headers'>> | undefined,
  defaultLanguage: Language,
): Origin {
  const { headers = {} } = request ?? {}
  return {
    requestId: requestIdOf(headers),
    language: languageOf(headers['accept-language'], defaultLanguage),
  }
}

/**
 * Returns the UUID that the client sent, or a new one (docs/api.md, Request ids). Stores it in the header, so
 * that later calls for the request return the same id.
 */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id']
  const id = typeof sent === 'string' && UUID.test(sent) ? sent.toLowerCase() : randomUUIDv7()
  headers['x-request-id'] = id
  return id
}

export function metaId(requestId: string): string {
  return `req_${requestId}`
}

/** Headers with constant values. The X-RateLimit values are placeholders; quotas use the RateLimit headers. */
const FIXED = {
  'x-api-version': API_VERSION,
  'x-ratelimit-limit': '1000',
  'x-ratelimit-remaining': '999',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const FIXED_LINES = linesOf(FIXED)

function resetAt(now: number): string {
  return String((Math.floor(now / 60_000) + 1) * 60)
}

export function standardHeaders({ requestId, language }: Origin, now: number) {
  return {
    ...FIXED,
    'x-request-id': requestId,
    'x-ratelimit-reset': resetAt(now),
    'content-language': language,
  }
}

export function standardLines({ requestId, language }: Origin, now: number): string {
  return `${FIXED_LINES}x-request-id: ${requestId}\r\nx-ratelimit-reset: ${resetAt(now)}\r\ncontent-language: ${language}\r\n`
}

/** Returns the headers as lines. Does not validate names and values. */
export function linesOf(headers: Record<string, string>): string {
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return lines
}

export const JSON_TYPE = 'application/json; charset=utf-8'

let textMs = Number.NaN
let text = ''

/** Returns the time in ISO 8601. Caches the last result, because many responses share a millisecond. */
function timeText(now: number): string {
  if (now !== textMs) {
    textMs = now
    text = new Date(now).toISOString()
  }
  return text
}

function metaOf(requestId: string, now: number): string {
  return `{"request_id":"${metaId(requestId)}","timestamp":"${timeText(now)}","version":"${API_VERSION}"}`
}

export function successBody(data: string, requestId: string, now: number): string {
  return `{"success":true,"data":${data},"meta":${metaOf(requestId, now)}}`
}

export function failure(error: ApiError, { requestId, language }: Origin, now: number) {
  const { code, problems, retryAfter } = error
  const headers: Record<string, string> = { ...error.headers }
  if (ERRORS[code] === 401) headers['www-authenticate'] = 'Bearer realm="plaza"'
  const wait = retryAfter ?? defaultWait(code)
  if (wait !== undefined) headers['retry-after'] = String(wait)
  if (code === 'REQUEST_TIMEOUT') headers['connection'] = 'close'
  const answer = {
    code,
    message: message(language, `error.${code}`, { seconds: wait ?? 0 }),
    ...(problems && { details: problems.map((problem) => toDetail(problem, language)) }),
  }
  const body = `{"success":false,"error":${JSON.stringify(answer)},"meta":${metaOf(requestId, now)}}`
  return { status: ERRORS[code] as number, headers, body }
}

function defaultWait(code: ErrorCode): number | undefined {
  return code === 'SERVICE_UNAVAILABLE' || code === 'REQUEST_IN_PROGRESS' ? 1 : undefined
}

function toDetail({ field, key, params }: Problem, language: Language) {
  return { field, message: message(language, key, params) }
}
