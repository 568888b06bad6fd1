/** Statements about the counts of followers and followed creators. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { rawQuery, type Query, statement, statementFamily, FALSE } from '../db/statement.ts'
import { changeOf, isChange, type ToggleMode } from '../db/toggle.ts'

export type FollowOf = { handle: string; user_id: string }

/**
 * Returns SQL that selects the id of the user with this handle, if the viewer may follow this user. Selects
 * no row for suspended creators, for the viewer, and when the viewer is suspended. The viewer may be
 * suspended after the request was authenticated.
 */
export function followable(q: Query, p: FollowOf) {
  return q
    .selectFrom('users')
    .select('id')
    .where('handle', '=', p.handle)
    .where('is_suspended', '=', FALSE)
    .where('id', '<>', p.user_id)
    .where(
      sql<boolean>`not exists (select 1 from users as me where me.id = ${p.user_id} and me.is_suspended = 1)`,
    )
}

/** Returns SQL that is true when the viewer follows this creator. */
export function isFollowed(q: Query, p: FollowOf): RawBuilder<boolean> {
  return sql`exists (select 1 from follows as mine
    where mine.creator_id = ${followable(q, p)} and mine.follower_id = ${p.user_id})`
}

const lock = statement((q, p: FollowOf, dialect) =>
  dialect.locked(
    q
      .selectFrom('user_counts')
      .select(['user_id', 'follower_count'])
      .where((e) => e.or([e('user_id', '=', p.user_id), e('user_id', '=', followable(q, p))]))
      .orderBy('user_id'),
  ),
)

/**
 * Locks the counts of follower and creator in the order of their ids until the transaction ends, and returns
 * them.
 */
export function lockFollowCounts(tx: Tx, target: FollowOf) {
  return tx.all(lock, target)
}

const count = statementFamily(({ mode }: { mode: ToggleMode }) =>
  statement((q, p: FollowOf) => {
    const change = changeOf(mode, isFollowed(q, p))
    return rawQuery<{ user_id: string; follower_count: number }>(
      q,
      sql`update user_counts set
        follower_count = follower_count + case when user_id = ${p.user_id} then 0 else ${change} end,
        following_count = following_count + case when user_id = ${p.user_id} then ${change} else 0 end
      where (user_id = ${p.user_id} or user_id = ${followable(q, p)})
        and exists ${followable(q, p)} and ${isChange(mode, isFollowed(q, p))}
      returning user_id, follower_count`,
    )
  }),
)

/**
 * Updates the counts for a follow whose row will change afterwards. Requires the locks of both users. Returns
 * the new counts, or no rows when nothing will change.
 */
export function updateFollowCounts(tx: Tx, mode: ToggleMode, target: FollowOf) {
  return tx.all(count({ mode }), target)
}
