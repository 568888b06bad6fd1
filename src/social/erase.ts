import { updateSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'
import { deleteRows, listColumn, listRows, listRowsLocked } from '../db/rows.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'

type Reaction = 'likes' | 'bookmarks'

/**
 * Deletes up to `limit` likes or bookmarks of a content item, with the notifications about them. Returns the number of
 * deleted likes or bookmarks. The caller holds the lock of the content.
 */
export async function eraseReactions(
  tx: Tx,
  table: Reaction,
  content_id: string,
  limit: number,
): Promise<number> {
  const users = await listColumn(tx, table, 'user_id', { content_id }, { limit })
  await deleteRows(tx, table, { content_id, user_id: users })
  if (table === 'likes') {
    const acts = users.map((actor_id) => ({ actor_id, subject_id: content_id }))
    await deleteNotificationsBy(tx, acts)
  }
  return users.length
}

/** Deletes up to `limit` of a user's likes or bookmarks. Returns the number of rows found. */
export async function eraseReactionsBy(
  tx: Tx,
  table: Reaction,
  user_id: string,
  limit: number,
): Promise<number> {
  const ids = await listColumn(tx, table, 'content_id', { user_id }, { limit })
  await listRowsLocked(tx, 'content_stats', { content_id: ids }, 'content_id')
  await deleteRows(tx, table, { user_id, content_id: ids })
  return ids.length
}

/** Clears `content_id` in up to `limit` follows from this content item. Returns the number of changed follows. */
export function eraseOrigin(tx: Tx, contentId: string, limit: number): Promise<number> {
  const key = ['creator_id', 'follower_id'] as const
  return updateSome(tx, 'follows', key, { content_id: contentId }, { content_id: null }, limit)
}

/**
 * Deletes up to `limit` follows in which a user is the follower or, when there are none, the followed creator. Returns
 * the number of follows found.
 */
export async function eraseFollows(tx: Tx, userId: string, limit: number): Promise<number> {
  const by = await listRows(tx, 'follows', { follower_id: userId }, { limit })
  const follows =
    by.length > 0 ? by : await listRows(tx, 'follows', { creator_id: userId }, { limit })
  await lockUserCounts(
    tx,
    follows.flatMap(({ creator_id, follower_id }) => [creator_id, follower_id]),
  )
  // Sorts by content item, so that all transactions lock in the same order: each deletion locks the daily statistics of
  // the follow's content item.
  const byContent = follows.toSorted((left, right) =>
    (left.content_id ?? '') < (right.content_id ?? '') ? -1 : 1,
  )
  for (const { creator_id, follower_id, is_follower_suspended } of byContent) {
    const deleted = await deleteRows(tx, 'follows', { creator_id, follower_id })
    if (deleted > 0 && is_follower_suspended) {
      await addToUserCounts(tx, [{ userId: creator_id, suspended_follower_count: -1 }])
    }
  }
  return follows.length
}
