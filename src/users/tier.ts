import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { Tier } from '../db/tables.ts'

const update = statement((q, p: { handle: string; tier: Tier }) =>
  q.updateTable('users').set({ tier: p.tier }).where('handle', '=', p.handle),
)

/** Sets the quota of a person; `handle` in lower case. False when there is nobody of that handle. */
export async function updateTier(db: Handle, handle: string, tier: Tier): Promise<boolean> {
  return (await db.run(update, { handle, tier })) > 0
}
