import { updateSome } from '../db/batches.ts'
import type { Tx } from '../db/handle.ts'
import { deleteRows, listRows } from '../db/rows.ts'
import { lockLists } from '../notifications/erase.ts'
import { withdraw } from '../notifications/notify.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'

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

/**
 * Ends the follows between two users and withdraws the unread notifications about these follows. Locks both
 * notification lists. The caller holds the locks of both users' counts.
 */
export async function endFollows(tx: Tx, leftId: string, rightId: string): Promise<void> {
  const follows = [
    { creator_id: leftId, follower_id: rightId },
    { creator_id: rightId, follower_id: leftId },
  ]
  for (const follow of follows) await deleteRows(tx, 'follows', follow)
  // Locks the notification lists only after the deletions, because triggers of the deletions lock the daily statistics,
  // which come first in the lock order of ARCHITECTURE.md.
  await lockLists(tx, [leftId, rightId])
  for (const { creator_id: to, follower_id: actorId } of follows) {
    await withdraw(tx, { to, type: 'follow', actorId, subjectId: to })
  }
}
