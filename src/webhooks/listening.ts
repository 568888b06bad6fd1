import { type RawBuilder, sql } from 'kysely'
import { TRUE } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'

/**
 * Returns SQL that is true when the user has an enabled webhook. `owner` is the column with the user's id.
 * Callers add it to another statement or pipeline it (decision 013), so that it needs no further round trip.
 */
export function hasSubscribers(owner: string): RawBuilder<Flag | boolean> {
  return sql`exists (select 1 from webhooks
    where webhooks.owner_id = ${sql.ref(owner)} and webhooks.is_active = ${TRUE})`
}
