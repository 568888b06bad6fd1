import { type RawBuilder, sql } from 'kysely'
import { TRUE } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'

/**
 * SQL: the user has an enabled webhook. `owner` is the column of the user's id. Comments and plays include
 * it in the statement that locks their rows; likes and follows pipeline it with their other statements
 * (decision 013). Neither needs a further round trip.
 */
export function hasSubscribers(owner: string): RawBuilder<Flag | boolean> {
  return sql`exists (select 1 from webhooks
    where webhooks.owner_id = ${sql.ref(owner)} and webhooks.is_active = ${TRUE})`
}
