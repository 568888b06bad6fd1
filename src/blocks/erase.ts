import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/**
 * Deletes up to `limit` blocks and mutes by a user, and returns their number. Keeps blocks and mutes of this user by
 * others.
 */
export function eraseFilters(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'user_filters', ['user_id', 'filtered_id'], { user_id }, limit)
}
