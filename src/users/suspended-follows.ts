/**
 * What lists of followers and of followed people leave out: follows say themselves whether one side is
 * suspended. Nobody's follows change while that person is suspended, so what is set is taken back.
 */
import type { Tx } from '../db/handle.ts'
import { type Query, statement } from '../db/statement.ts'

/** More than so many rows a suspension does not change: each list asks for these few by itself. */
export const MANY_FOLLOWERS = 1000

type Switch = { userId: string; is_suspended: 0 | 1 }

const followedBy = (q: Query, p: { userId: string }) =>
  q.selectFrom('follows').select('creator_id').where('follower_id', '=', p.userId)

// One list of all: PostgreSQL would ask of each person whether they are in the list, or the one.
const lock = statement((q, p: { userId: string }, on) =>
  on.locked(
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

const setFollower = statement((q, p: Switch) =>
  q
    .updateTable('follows')
    .set({ is_follower_suspended: p.is_suspended })
    .where('follower_id', '=', p.userId),
)

const setCreator = statement((q, p: Switch) =>
  q
    .updateTable('follows')
    .set({ is_creator_suspended: p.is_suspended })
    .where('creator_id', '=', p.userId),
)

const insertStar = statement((q, p: { userId: string }) =>
  q.insertInto('suspended_stars').values({ creator_id: p.userId }),
)

const deleteStar = statement((q, p: { userId: string }) =>
  q.deleteFrom('suspended_stars').where('creator_id', '=', p.userId),
)

/**
 * Says of the follows of a person, and of those of the person's followers, that they are of somebody
 * suspended, or no longer. Until the transaction ends that person follows nobody else, unfollows
 * nobody, and is neither followed nor unfollowed.
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
    tx.run(setFollower, { userId, is_suspended }),
  ])
  const isStar = isSuspended
    ? followers > MANY_FOLLOWERS
    : (await tx.run(deleteStar, { userId })) > 0
  if (!isStar) await tx.run(setCreator, { userId, is_suspended })
  else if (isSuspended) await tx.run(insertStar, { userId })
}
