import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/** Deletes up to `limit` plays of a game. Returns their number. The caller holds the lock of the content. */
export function erasePlays(tx: Tx, game_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'plays', ['id'], { game_id }, limit)
}
