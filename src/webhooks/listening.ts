import { type RawBuilder, sql } from 'kysely'
import { YES } from '../db/statement.ts'
import type { Flag } from '../db/flag.ts'

/**
 * SQL: whether a person has any webhook that is switched on; `owner` is the column of their id.
 * Comments and plays have it in the very statement that locks what they change; likes and follows ask
 * it by one statement that crosses with their others (decision 013). So it costs no crossing more.
 */
export function isListening(owner: string): RawBuilder<Flag | boolean> {
  return sql`exists (select 1 from webhooks
    where webhooks.owner_id = ${sql.ref(owner)} and webhooks.is_active = ${YES})`
}
