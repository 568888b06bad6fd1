import type { Tx } from '../db/handle.ts'
import { deleteRows } from '../db/rows.ts'

/** Deletes the pick of a content item. Returns the number of deleted rows. */
export function erasePick(tx: Tx, contentId: string): Promise<number> {
  return deleteRows(tx, 'picks', { content_id: contentId })
}
