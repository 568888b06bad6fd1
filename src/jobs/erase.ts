import type { Tx } from '../db/handle.ts'
import { deleteRows } from '../db/rows.ts'

/** Deletes a user's rows of `job_turns` and `job_usage`. Returns the number of deleted rows. */
export async function eraseUsage(tx: Tx, owner_id: string): Promise<number> {
  const turns = await deleteRows(tx, 'job_turns', { owner_id })
  return turns + (await deleteRows(tx, 'job_usage', { owner_id }))
}
