/** Parses query strings and validates them against their documented schemas (contract, section 1). */
import { parse } from 'node:querystring'
import type { TObject } from 'typebox'
import { ApiError, type Problem } from '../errors.ts'
import { LENGTH_MAX, readText } from './text.ts'

const INTEGER = /^-?[0-9]+$/

/** Placeholder for bytes that are not UTF-8. All field readers reject a text that contains it. */
const NO_TEXT = '\ud800'
const ENCODED = /(?:%[0-9a-f]{2})+|%/gi

/** Parses a query string. The value of a repeated field is a list. */
export function parseQuery(text: string): Record<string, unknown> {
  return parse(text.includes('%') ? text.replace(ENCODED, decodable) : text, '&', '=', {
    maxKeys: 0,
  })
}

function decodable(encoded: string): string {
  try {
    decodeURIComponent(encoded)
    return encoded
  } catch {
    return NO_TEXT
  }
}

/** Schema of a query field: an integer with limits, a choice or a text. */
interface FieldSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: unknown
}

type QueryReader = (
  raw: Record<string, unknown>,
  isRefused?: (query: never) => boolean,
) => Record<string, unknown>

/**
 * Returns a reader for one schema. It ignores unknown keys, rejects repeated or empty values, and clamps
 * integers. `refine` adds checks that a schema cannot express and receives only valid values. `isRefused`
 * receives the same values and returns true when the query requires a session. Errors: 401 UNAUTHORIZED when
 * `isRefused` returns true, 422 VALIDATION_ERROR with all invalid keys.
 */
export function queryReader(
  schema: TObject,
  refine?: (query: never, problems: Problem[]) => void,
): QueryReader {
  const fields = Object.entries(schema.properties) as [string, FieldSchema][]
  return (raw, isRefused) => {
    const values: Record<string, unknown> = {}
    const problems: Problem[] = []
    for (const [name, field] of fields) {
      const sent = raw[name]
      if (sent === undefined) {
        if (field.default !== undefined) values[name] = field.default
        continue
      }
      const read = readField(sent, field)
      if (typeof read === 'object') problems.push({ field: name, ...read })
      else values[name] = read
    }
    if (isRefused?.(values as never)) throw new ApiError('UNAUTHORIZED')
    refine?.(values as never, problems)
    if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
    return values
  }
}

function readField(sent: unknown, field: FieldSchema): string | number | Omit<Problem, 'field'> {
  if (typeof sent !== 'string') return { key: 'invalid.repeated' }
  if (sent === '') return { key: 'invalid.empty' }
  if (field.type === 'integer') {
    if (!INTEGER.test(sent)) return { key: 'invalid.type.integer' }
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = field
    return Math.min(Math.max(Number(sent), minimum), maximum)
  }
  const { maxLength = LENGTH_MAX } = field
  const read = readText(sent, { maxLength })
  if (!('text' in read)) return read
  const { text } = read
  if (text === '') return { key: 'invalid.empty' }
  if (field.enum) {
    if (field.enum.includes(text)) return text
    return { key: 'invalid.choice', params: { choices: field.enum.join(', ') } }
  }
  if ([...text].length > maxLength) {
    return { key: 'invalid.too_long', params: { limit: maxLength } }
  }
  return text
}
