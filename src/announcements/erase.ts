import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/**
 * Deletes up to `limit` rows that record which announcements a user has read. Returns the number of deleted
 * rows.
 */
export function eraseAnnouncementReads(tx: Tx, user_id: string, limit: number): Promise<number> {
  const key = ['announcement_id', 'user_id'] as const
  return deleteSome(tx, 'announcement_reads', key, { user_id }, limit)
}
