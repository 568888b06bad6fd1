/** Schemas of fields that many bodies, queries and responses share. */
import { Type } from 'typebox'

/** Additional schema keywords. */
interface More {
  description?: string
  minLength?: number
  maxLength?: number
  pattern?: string
}

export function choice<const T extends string>(
  choices: readonly T[],
  more: { default?: T; description?: string } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: choices, ...more })
}

export function textOrNull(more: More = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...more })
}

export function integerOrNull() {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'] })
}

/** Returns the schema of a time: ISO 8601 in UTC with milliseconds. */
export function time(more: { description?: string } = {}) {
  return Type.String({ format: 'date-time', ...more })
}

export function timeOrNull(more: { description?: string } = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', ...more })
}
