import type { Handle } from '../db/handle.ts'
import type { WeightedField } from '../indexing/tokens.ts'
import type { Source } from './collect.ts'

const LIFETIME_MS = 60_000

type Fields = readonly WeightedField[][]

/**
 * Fields of the newest rows, by database and kind. A search uses them only to estimate how frequent its terms are, so
 * outdated fields cause no wrong matches.
 */
const cache = new WeakMap<Handle, Map<string, { until: number; fields: Fields }>>()

/** Returns the fields of the newest rows of a kind. Caches them for LIFETIME_MS. */
export async function sampleOf(db: Handle, kind: string, source: Source): Promise<Fields> {
  const kinds = cache.get(db) ?? new Map<string, { until: number; fields: Fields }>()
  cache.set(db, kinds)
  const known = kinds.get(kind)
  if (known && known.until > performance.now()) return known.fields
  const fields = (await source.walk(undefined)).map((row) => row.fields)
  kinds.set(kind, { until: performance.now() + LIFETIME_MS, fields })
  return fields
}
