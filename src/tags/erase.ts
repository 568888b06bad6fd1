import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/** Deletes up to `limit` of a user's follows of tags. Returns the number of deleted follows. */
export function eraseTagFollows(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'tag_follows', ['user_id', 'tag'], { user_id }, limit)
}
