import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './types.ts'

/** The schemas that have a title, by title: each stands in the document once. */
export class SchemaShelf {
  readonly #schemas = new Map<string, Schema>()

  /** The schema with everything titled replaced by a reference. Throws when a title has two contents. */
  add(schema: Schema): Schema {
    const { title, ...rest } = schema
    const inner = this.#addInner(rest)
    if (title === undefined) return inner
    const known = this.#schemas.get(title)
    if (known && !isDeepStrictEqual(known, inner)) {
      throw new Error(`Two different schemas have the title ${title}`)
    }
    this.#schemas.set(title, inner)
    return { $ref: `#/components/schemas/${title}` }
  }

  #addInner({ ...schema }: Schema): Schema {
    if (schema.items) schema.items = this.add(schema.items)
    if (schema.anyOf) schema.anyOf = schema.anyOf.map((choice) => this.add(choice))
    if (schema.properties) {
      schema.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, field]) => [name, this.add(field)]),
      )
    }
    return schema
  }

  /** Every titled schema, in the order of titles. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}
