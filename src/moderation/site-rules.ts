import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const current = statement((q, p: { id: string }) =>
  q
    .selectFrom('site_rules')
    .select('text')
    .where('id', '=', p.id)
    .where('position', 'is not', null),
)

/** Returns the texts of a rule of the site as JSON of `LocalText`; undefined for unknown and removed rules. */
export async function findRuleText(db: Handle, id: string): Promise<string | undefined> {
  return (await db.first(current, { id }))?.text
}
