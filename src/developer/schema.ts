import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { ApiKeyRow } from '../db/console-tables.ts'
import { secret } from '../http/fields.ts'

const LegacyKey = Type.Object(
  {
    id: Type.String(),
    key_name: Type.String(),
    key_prefix: Type.String({ description: 'Beginning of the raw key' }),
    last_four: Type.String({ description: 'Last four characters of the raw key' }),
    last_used_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Accurate to the minute',
    }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'LegacyKey' },
)
export type LegacyKeyRecord = Static<typeof LegacyKey>

export const LegacyKeys = Type.Object({ keys: Type.Array(LegacyKey) })
export const NewLegacyKey = Type.Object({
  key: LegacyKey,
  raw_key: secret(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Returned only once; null in a replayed response',
    }),
  ),
})

export const CreateLegacyKey = Type.Object(
  {
    key_name: Type.String({ minLength: 1, maxLength: 100 }),
  },
  { examples: [{ key_name: 'Nightly upload' }] },
)

export function toLegacyKey(row: ApiKeyRow): LegacyKeyRecord {
  return {
    id: row.id,
    key_name: row.key_name,
    key_prefix: row.key_prefix,
    last_four: row.last_four,
    last_used_at: isoOrNull(row.last_used_at),
    created_at: iso(row.created_at),
  }
}
