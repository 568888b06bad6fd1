import type { Tx } from '../db/handle.ts'
import { insertRow, listRowsLocked, addToRows } from '../db/rows.ts'
import { type AsParams } from '../db/statement.ts'
import type { UserCountsRow } from '../db/tables.ts'

type Counts = AsParams<Omit<UserCountsRow, 'user_id'>>

export const NO_COUNTS: Counts = {
  follower_count: 0,
  following_count: 0,
  content_count: 0,
  hype_count: 0,
  swipe_count: 0,
  jump_count: 0,
  suspended_follower_count: 0,
  block_count: 0,
  mute_count: 0,
}
type UserCountsChange = { userId: string } & Partial<Counts>

export async function insertUserCounts(tx: Tx, userId: string): Promise<void> {
  await insertRow(tx, 'user_counts', { user_id: userId, ...NO_COUNTS })
}

/** Locks the counts of users in the order of the ids, and returns them. */
export function lockUserCounts(tx: Tx, ids: string[]) {
  return listRowsLocked(tx, 'user_counts', { user_id: ids }, 'user_id')
}

/** Adds to the counts of users in the order of the ids, which is the lock order. */
export async function addToUserCounts(tx: Tx, changes: UserCountsChange[]): Promise<void> {
  const ordered = changes.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
  for (const { userId, ...amounts } of ordered) {
    await addToRows(tx, 'user_counts', { user_id: userId }, amounts)
  }
}
