import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Problem } from '../errors.ts'

// Annotations have symbols as keys, because JSON and the validator ignore symbols.
const CHECK = Symbol('check')
const CSV = Symbol('csv')
const EXACT = Symbol('exact')
const SECRET = Symbol('secret')

type Check<T> = (value: T, problems: Problem[]) => void
type ToCsv<T> = (data: T) => string

export interface Annotated {
  [CHECK]?: Check<never>
  [CSV]?: ToCsv<never>
  [EXACT]?: true
  [SECRET]?: true
}

/**
 * Adds a check to a schema. The check also runs on values that violate the schema. It does not run after
 * `readFields` has found FIELDS_MAX problems.
 */
export function checked<S extends TObject>(schema: S, check: Check<NoInfer<Static<S>>>): S {
  return Object.assign(schema, { [CHECK]: check })
}

export function checkOf(schema: TSchema & Annotated): Check<never> | undefined {
  return schema[CHECK]
}

/** Marks the schema of a text that is stored with its surrounding white space. */
export function exact<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { [EXACT]: true })
}

export function isExact(schema: Annotated): boolean {
  return schema[EXACT] === true
}

/** Adds a function that returns the data as CSV, for clients that prefer CSV to JSON. */
export function withCsv<S extends TObject>(schema: S, toCsv: ToCsv<NoInfer<Static<S>>>): S {
  return Object.assign(schema, { [CSV]: toCsv })
}

export function csvOf(data: Annotated | undefined): ToCsv<never> | undefined {
  return data?.[CSV]
}

/** Marks a field of `data` that is returned only once. A replayed response contains null instead. */
export function secret<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { [SECRET]: true })
}

/** Returns the names of the secret fields of `data`. Names of nested fields have the form `invite.code`. */
export function secretsOf(data: TSchema & Fields): string[] {
  return Object.entries(data.properties ?? {}).flatMap(([name, field]) => [
    ...(field[SECRET] ? [name] : []),
    ...Object.entries(field.properties ?? {})
      .filter(([, inner]) => inner[SECRET])
      .map(([inner]) => `${name}.${inner}`),
  ])
}

interface Fields {
  properties?: Record<string, Annotated & Fields>
}

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
