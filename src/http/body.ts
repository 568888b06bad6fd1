import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { IsOptional, type Static, type TSchema } from 'typebox'
import { ApiError, invalid, type Problem } from '../errors.ts'
import { findNesting } from './depth.ts'
import { checkOf } from './fields.ts'
import { FIELDS_MAX, readFields, type ValueSchema } from './text.ts'

/** Maximum size of a JSON body in bytes. */
export const JSON_LIMIT = 256 * 1024
/** Maximum characters of a field name in an error. Clients can send names of any length. */
const FIELD_LENGTH = 200
const JSON_TYPE = 'application/json'
const UTF8_NAMES = ['utf-8', 'utf8']

/**
 * Returns the text of a JSON body, or undefined when the body is empty. Errors:
 * - 413 over the limit;
 * - 415 when the content type is missing or not JSON, or with a Content-Encoding;
 * - 422 when the text is not UTF-8.
 */
export async function readJsonText(request: IncomingMessage): Promise<string | undefined> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (length === 0) return undefined
  if (type !== undefined && !isJson(type)) throw refuse(request, 'UNSUPPORTED_MEDIA_TYPE')
  if (encoding !== undefined && encoding !== 'identity') {
    throw refuse(request, 'UNSUPPORTED_MEDIA_TYPE')
  }
  if (length > JSON_LIMIT) throw refuse(request, 'PAYLOAD_TOO_LARGE')
  const chunks: Buffer[] = []
  let size = 0
  // By default, throwing in the loop would destroy the request before the remaining body is read.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > JSON_LIMIT) throw refuse(request, 'PAYLOAD_TOO_LARGE')
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  if (type === undefined) throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  const bytes = Buffer.concat(chunks, size)
  if (!isUtf8(bytes)) throw invalid('body', 'invalid.json')
  return bytes.toString('utf8')
}

/**
 * True for `application/json`, alone or with UTF-8 as its charset. Ignores other parameters, because RFC 8259
 * (section 11) defines none.
 */
function isJson(type: string): boolean {
  if (type === JSON_TYPE) return true
  try {
    const { essence, params } = new MIMEType(type)
    const charset = params.get('charset')
    return essence === JSON_TYPE && (charset === null || UTF8_NAMES.includes(charset.toLowerCase()))
  } catch {
    return false
  }
}

function refuse(
  request: IncomingMessage,
  code: 'UNSUPPORTED_MEDIA_TYPE' | 'PAYLOAD_TOO_LARGE',
): ApiError {
  discard(request)
  return new ApiError(code)
}

/**
 * Reads and discards the rest of a request's body. Some clients read the response only after they have sent the
 * whole body.
 */
export function discard(request: IncomingMessage): void {
  request.on('error', () => {})
  request.resume()
}

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  coerceTypes: false,
  // Accepts any string, because the checks of the schemas validate times with `parseTime`.
  formats: { 'date-time': true },
})

type BodyReader<T> = (text: string | undefined) => T

/**
 * Returns a function that parses a body and returns its known fields, validated and normalised. The schema is
 * compiled on the first call. Errors of that function: 422 VALIDATION_ERROR with at most FIELDS_MAX invalid
 * fields.
 */
export function bodyReader<S extends TSchema>(schema: S): BodyReader<Static<S>> {
  const fields: ValueSchema = schema
  const check = checkOf(schema)
  const isRequired = !IsOptional(schema)
  let validate: ValidateFunction | undefined
  return (text) => {
    const problems: Problem[] = []
    const sent = text === undefined ? {} : parse(text)
    const body = readFields(sent, { schema: fields, json: text ?? '' }, problems)
    if (problems.length < FIELDS_MAX) {
      validate ??= ajv.compile(schema)
      validate(body)
      for (const error of validate.errors ?? []) problems.push(toProblem(error))
      check?.(body as never, problems)
    }
    if (problems.length === 0 && text === undefined && isRequired) {
      problems.push({ field: 'body', key: 'invalid.required' })
    }
    if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems: oneEach(problems) })
    return body as Static<S>
  }
}

function parse(text: string): Record<string, unknown> {
  const problem = findNesting(text)
  if (problem) throw new ApiError('VALIDATION_ERROR', { problems: oneEach([problem]) })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('body', 'invalid.json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('body', 'invalid.type.object')
  }
  return value as Record<string, unknown>
}

/** Returns the first problem of each field, which is the most general one, for at most FIELDS_MAX fields. */
function oneEach(problems: readonly Problem[]): Problem[] {
  const byField = new Map<string, Problem>()
  for (const problem of problems) {
    if (byField.size === FIELDS_MAX) break
    const field = problem.field.slice(0, FIELD_LENGTH).toWellFormed() || 'body'
    if (!byField.has(field)) byField.set(field, { ...problem, field })
  }
  return [...byField.values()]
}

function toProblem({ keyword, instancePath, params }: ErrorObject): Problem {
  const field = instancePath.slice(1).replaceAll('/', '.')
  const limit = (key: Problem['key']): Problem => ({
    field,
    key,
    params: { limit: params['limit'] },
  })
  switch (keyword) {
    case 'required': {
      const name = String(params['missingProperty'])
      return { field: field ? `${field}.${name}` : name, key: 'invalid.required' }
    }
    case 'type':
      return { field, key: typeKey([params['type']].flat()) }
    case 'minLength':
      return params['limit'] === 1 ? { field, key: 'invalid.blank' } : limit('invalid.too_short')
    case 'maxLength':
      return limit('invalid.too_long')
    case 'minItems':
      return limit('invalid.too_few')
    case 'maxItems':
      return limit('invalid.too_many')
    case 'minimum':
      return limit('invalid.too_small')
    case 'maximum':
      return limit('invalid.too_large')
    case 'enum':
      return {
        field,
        key: 'invalid.choice',
        params: { choices: params['allowedValues'].filter(Boolean).join(', ') },
      }
    default:
      return { field, key: 'invalid.format' }
  }
}

function typeKey(types: string[]): Problem['key'] {
  const type = types.find((name) => name !== 'null')
  switch (type) {
    case 'boolean':
    case 'integer':
    case 'number':
    case 'array':
    case 'object':
      return `invalid.type.${type}`
    default:
      return 'invalid.type.string'
  }
}
