import { findRow } from '../db/rows.ts'
import { notNull } from '../db/conditions.ts'
import type { Handle } from '../db/handle.ts'

/**
 * Returns the texts of a rule of the site as JSON of `LocalText`, or undefined for unknown and removed rules.
 */
export async function findRuleText(db: Handle, id: string): Promise<string | undefined> {
  return (await findRow(db, 'site_rules', { id, position: notNull }))?.text
}
