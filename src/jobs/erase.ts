import type { Tx } from '../db/handle.ts'
import { deleteRows } from '../db/rows.ts'

/** Deletes the turns and the processor time of a user's jobs. Returns the number of rows. */
export async function eraseUsage(tx: Tx, owner_id: string): Promise<number> {
  const turns = await deleteRows(tx, 'job_turns', { owner_id })
  return turns + (await deleteRows(tx, 'job_usage', { owner_id }))
}
