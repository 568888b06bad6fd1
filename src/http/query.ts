import { parse } from 'node:querystring'
import type { Static, TObject } from 'typebox'
import { ApiError, type Problem } from '../errors.ts'
import { checkOf } from './fields.ts'
import { LENGTH_MAX, readText } from './text.ts'

const INTEGER = /^-?[0-9]+$/

/** Lone surrogate that replaces bytes that are not UTF-8. `readText` rejects a text that contains one. */
const NO_TEXT = '\ud800'
const ENCODED = /(?:%[0-9a-f]{2})+|%/gi

/** Parses a query string into values by field name. The value of a repeated field is a list. */
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

interface FieldSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: unknown
}

interface QueryRead<T> {
  values: Partial<T>
  problems: Problem[]
}

/**
 * Returns the valid values and defaults, and the problems of the other fields (docs/api.md, Validation).
 * Ignores unknown keys and clamps integers. Does not run the check that `checked` added; `validQuery` does.
 */
export function readQuery<S extends TObject>(
  schema: S,
  raw: Record<string, unknown>,
): QueryRead<Static<S>> {
  const values: Record<string, unknown> = {}
  const problems: Problem[] = []
  const fields: Record<string, FieldSchema> = schema.properties
  for (const name in fields) {
    const field = fields[name] as FieldSchema
    const sent = raw[name]
    if (sent === undefined) {
      if (field.default !== undefined) values[name] = field.default
      else if (schema.required?.includes(name)) {
        problems.push({ field: name, key: 'invalid.required' })
      }
      continue
    }
    const read = readField(sent, field)
    if (typeof read === 'object') problems.push({ field: name, ...read })
    else values[name] = read
  }
  return { values: values as Partial<Static<S>>, problems }
}

/**
 * Runs the check of the schema on a result of `readQuery`, and returns the values. Errors: 422 VALIDATION_ERROR
 * with all problems.
 */
export function validQuery<S extends TObject>(
  schema: S,
  { values, problems }: QueryRead<Static<S>>,
): Static<S> {
  checkOf(schema)?.(values as never, problems)
  if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
  return values as Static<S>
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
