/** Reads query strings by the same schemas that document them (contract, section 1). */
import { parse } from 'node:querystring'
import type { TObject } from 'typebox'
import { ApiError, type Problem } from '../errors.ts'
import { LENGTH_MAX, readText } from './text.ts'

const INTEGER = /^-?[0-9]+$/

/** Stands for bytes that are no UTF-8: what holds it is refused by every reader below. */
const NO_TEXT = '\ud800'
const ENCODED = /(?:%[0-9a-f]{2})+|%/gi

/** The fields of a query as they were sent; one that came more than once has them all. */
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

/** What a query field may be: an integer with bounds, a choice, or text. */
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
 * A reader for one schema. Unknown keys are ignored; a known one that is repeated or empty is
 * refused; an integer out of range is clamped, and one that is none is refused. `refine` adds what a
 * schema cannot say; what is wrong already is missing from what it gets. `isRefused` says whether the
 * caller would need a session for this, and gets the same.
 * Errors: 401 UNAUTHORIZED for what is refused, 422 VALIDATION_ERROR naming every key that is wrong.
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
