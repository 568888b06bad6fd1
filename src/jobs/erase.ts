import type { Tx } from '../db/handle.ts'
import { deleteRows } from '../db/rows.ts'

/**
 * Deletes a user's places in the rotation of the job queues and the record of the processor time that the
 * user's jobs used. Returns the number of deleted rows.
 */
export async function eraseUsage(tx: Tx, owner_id: string): Promise<number> {
  const turns = await deleteRows(tx, 'job_turns', { owner_id })
  return turns + (await deleteRows(tx, 'job_usage', { owner_id }))
}
