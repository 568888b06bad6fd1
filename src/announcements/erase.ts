import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/** Deletes up to `limit` records of announcements that a user has read. Returns their number. */
export function eraseAnnouncementReads(tx: Tx, user_id: string, limit: number): Promise<number> {
  const key = ['announcement_id', 'user_id'] as const
  return deleteSome(tx, 'announcement_reads', key, { user_id }, limit)
}
