import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './types.ts'

export type Records = Map<string, Schema>

/**
 * Moves titled schemas into `records` and returns the schema with references to them. With `required` last, the
 * document compresses better. Errors: an Error when different schemas have the same title.
 */
export function extractRecords({ title, required, ...rest }: Schema, records: Records): Schema {
  const schema: Schema = { ...rest, ...(required && { required }) }
  if (schema.items) schema.items = extractRecords(schema.items, records)
  if (schema.anyOf) schema.anyOf = schema.anyOf.map((choice) => extractRecords(choice, records))
  if (schema.properties) {
    const fields = Object.entries(schema.properties)
    schema.properties = Object.fromEntries(
      fields.map(([name, field]) => [name, extractRecords(field, records)]),
    )
  }
  if (title === undefined) return schema
  const known = records.get(title)
  if (known && !isDeepStrictEqual(known, schema)) {
    throw new Error(`Two different schemas have the title ${title}`)
  }
  records.set(title, schema)
  return { $ref: `#/components/schemas/${title}` }
}
