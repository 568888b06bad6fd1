import type { Tx } from '../db/handle.ts'
import { deleteRows, listColumn, listRowsLocked } from '../db/rows.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'

/**
 * Deletes up to `limit` likes of a content item, with the notifications about them. Returns the number of deleted
 * likes. The caller holds the lock of the content.
 */
export async function eraseLikes(tx: Tx, content_id: string, limit: number): Promise<number> {
  const users = await listColumn(tx, 'likes', 'user_id', { content_id }, { limit })
  await deleteRows(tx, 'likes', { content_id, user_id: users })
  const acts = users.map((actor_id) => ({ actor_id, subject_id: content_id }))
  await deleteNotificationsBy(tx, acts)
  return users.length
}

/** Deletes up to `limit` of a user's likes. Returns the number of likes found. */
export async function eraseLikesBy(tx: Tx, user_id: string, limit: number): Promise<number> {
  const ids = await listColumn(tx, 'likes', 'content_id', { user_id }, { limit })
  await listRowsLocked(tx, 'content_stats', { content_id: ids }, 'content_id')
  await deleteRows(tx, 'likes', { user_id, content_id: ids })
  return ids.length
}
