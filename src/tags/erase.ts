import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/** Deletes up to `limit` follows of tags by a user. Returns their number. */
export function eraseTagFollows(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'tag_follows', ['user_id', 'tag'], { user_id }, limit)
}
