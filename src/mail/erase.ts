import { deleteSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'

/** Deletes up to `limit` mails to a user, sent or not. Returns their number. */
export function eraseMails(tx: Tx, user_id: string, limit: number): Promise<number> {
  return deleteSome(tx, 'mails', ['id'], { user_id }, limit)
}
