/**
 * Flags the follows of suspended users. A suspended user's follows cannot change, so lifting the suspension
 * clears the same flags.
 */
import type { Tx } from '../db/handle.ts'
import { deleteRows, insertRow, updateRows } from '../db/rows.ts'
import { type Query, statement } from '../db/statement.ts'

/**
 * Maximum number of followers whose follows a suspension flags row by row. A suspended creator with more followers
 * gets one row in `suspended_stars` instead. The totals of lists of followed users count those rows separately.
 */
export const MANY_FOLLOWERS = 1000

const followedBy = (q: Query, p: { userId: string }) =>
  q.selectFrom('follows').select('creator_id').where('follower_id', '=', p.userId)

// One subquery, because with an `or` PostgreSQL would test each row for both conditions.
const lock = statement((q, p: { userId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('user_counts')
      .select(['user_id', 'follower_count'])
      .where(
        'user_id',
        'in',
        followedBy(q, p).unionAll(
          q.selectFrom('users').select('id as creator_id').where('id', '=', p.userId),
        ),
      )
      .orderBy('user_id'),
  ),
)

const count = statement((q, p: { userId: string; change: number }) =>
  q
    .updateTable('user_counts')
    .set((e) => ({ suspended_follower_count: e('suspended_follower_count', '+', p.change) }))
    .where('user_id', 'in', followedBy(q, p)),
)

/**
 * Flags all follows in which a user is follower or followed, or clears these flags. If the user has more than
 * MANY_FOLLOWERS followers, a row in `suspended_stars` replaces the flags where the user is followed. Until the
 * transaction ends, no other transaction can add or remove follows of the user.
 */
export async function setFollowsSuspended(
  tx: Tx,
  userId: string,
  isSuspended: boolean,
): Promise<void> {
  const is_suspended = isSuspended ? 1 : 0
  const counts = await tx.all(lock, { userId })
  const followers = counts.find(({ user_id }) => user_id === userId)?.follower_count ?? 0
  await Promise.all([
    tx.run(count, { userId, change: isSuspended ? 1 : -1 }),
    updateRows(tx, 'follows', { follower_id: userId }, { is_follower_suspended: is_suspended }),
  ])
  const isStar = isSuspended
    ? followers > MANY_FOLLOWERS
    : (await deleteRows(tx, 'suspended_stars', { creator_id: userId })) > 0
  if (!isStar)
    await updateRows(tx, 'follows', { creator_id: userId }, { is_creator_suspended: is_suspended })
  else if (isSuspended) await insertRow(tx, 'suspended_stars', { creator_id: userId })
}
