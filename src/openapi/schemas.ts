import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './types.ts'

/** The schemas that have a title, by title: each stands in the document once. */
export type Records = Map<string, Schema>

/**
 * The schema with everything titled moved to `records` and replaced by a reference. Throws when
 * one title has two contents.
 */
export function extractRecords({ title, ...schema }: Schema, records: Records): Schema {
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
