import type { Tx } from '../db/handle.ts'
import { deleteRows, listColumn, listRowsLocked } from '../db/rows.ts'

/**
 * Deletes up to `limit` bookmarks of a content item and returns their number. The caller holds the lock of the content.
 */
export async function eraseBookmarks(tx: Tx, content_id: string, limit: number): Promise<number> {
  const users = await listColumn(tx, 'bookmarks', 'user_id', { content_id }, { limit })
  return deleteRows(tx, 'bookmarks', { content_id, user_id: users })
}

/** Deletes up to `limit` of a user's bookmarks. Returns the number of bookmarks found. */
export async function eraseBookmarksBy(tx: Tx, user_id: string, limit: number): Promise<number> {
  const ids = await listColumn(tx, 'bookmarks', 'content_id', { user_id }, { limit })
  await listRowsLocked(tx, 'content_stats', { content_id: ids }, 'content_id')
  await deleteRows(tx, 'bookmarks', { user_id, content_id: ids })
  return ids.length
}
