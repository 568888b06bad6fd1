import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/**
 * Deletes up to `limit` blocks and mutes that a user has set. Returns their number. Blocks and mutes that other users
 * set against this user stay.
 */
export function eraseFilters(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'user_filters', ['user_id', 'filtered_id'], { user_id }, limit)
}
