import type { Records } from './schemas.ts'
import type { Schema } from './types.ts'

/** Maximum UTF-8 bytes of an example, to keep the document small. */
const BYTES_MAX = 24

/**
 * Copies texts of an example response to the `examples` of the fields of named schemas. Skips ids, long texts,
 * and fields with an `enum`, `const` or `format`.
 */
export function addExamples(schema: Schema, value: unknown, records: Records): void {
  const { $ref, anyOf = [], items, properties = {} } = schema
  if ($ref !== undefined) {
    const record = records.get($ref.split('/').at(-1) as string)
    if (record) addFields(record, value)
    if (record) addExamples(record, value, records)
  }
  for (const choice of anyOf) addExamples(choice, value, records)
  if (items && Array.isArray(value)) for (const item of value) addExamples(items, item, records)
  if (!isRecord(value)) return
  for (const [name, field] of Object.entries(properties)) addExamples(field, value[name], records)
}

function addFields({ properties = {} }: Schema, value: unknown): void {
  if (!isRecord(value)) return
  for (const [name, field] of Object.entries(properties)) {
    const text = value[name]
    if (typeof text !== 'string' || text === '' || Buffer.byteLength(text) > BYTES_MAX) continue
    if (/(^|_)id$/.test(name) || !isFreeText(field)) continue
    field.examples ??= [text]
  }
}

function isFreeText({ type, anyOf = [], ...rest }: Schema): boolean {
  if (anyOf.length > 0) return anyOf.some(isFreeText)
  return [type].flat().includes('string') && !rest.enum && !rest.format && !('const' in rest)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
