import type { Tx } from '../db/handle.ts'
import { slots, statement, variants } from '../db/statement.ts'
import { isListening } from '../webhooks/listening.ts'

/** The marks people put on works: a table each, of the same columns. */
export type Mark = 'likes' | 'bookmarks'

const mark = variants((table: Mark) =>
  statement((q, p: { content_id: string; user_id: string; created_at: number }) =>
    q
      .insertInto(table)
      .values(slots(p, ['content_id', 'user_id', 'created_at']))
      .onConflict((conflict) => conflict.columns(['content_id', 'user_id']).doNothing()),
  ),
)

/** False when it was there. */
export async function insertMark(
  tx: Tx,
  table: Mark,
  contentId: string,
  userId: string,
  now: number,
): Promise<boolean> {
  const row = { content_id: contentId, user_id: userId, created_at: now }
  return (await tx.run(mark(table), row)) > 0
}

const unmark = variants((table: Mark) =>
  statement((q, p: { contentId: string; userId: string }) =>
    q.deleteFrom(table).where('content_id', '=', p.contentId).where('user_id', '=', p.userId),
  ),
)

/** False when there was none. */
export async function deleteMark(
  tx: Tx,
  table: Mark,
  contentId: string,
  userId: string,
): Promise<boolean> {
  return (await tx.run(unmark(table), { contentId, userId })) > 0
}

const creator = statement((q, p: { handle: string }, { engine }) => {
  const query = q
    .selectFrom('users')
    .select(['id', 'is_suspended', isListening('users.id').as('is_listening')])
    .where('handle', '=', p.handle)
  return engine === 'postgres' ? query.forShare() : query
})

/** The person with this handle, whose suspension waits until the transaction ends, and whether they have webhooks. */
export function findCreatorShared(tx: Tx, handle: string) {
  return tx.first(creator, { handle })
}

const follow = statement((q, p: { creator_id: string; follower_id: string; created_at: number }) =>
  q
    .insertInto('follows')
    .values(slots(p, ['creator_id', 'follower_id', 'created_at']))
    .onConflict((conflict) => conflict.columns(['creator_id', 'follower_id']).doNothing()),
)

/** False when it was there. */
export async function insertFollow(
  tx: Tx,
  creatorId: string,
  followerId: string,
  now: number,
): Promise<boolean> {
  const row = { creator_id: creatorId, follower_id: followerId, created_at: now }
  return (await tx.run(follow, row)) > 0
}

const unfollow = statement((q, p: { creatorId: string; followerId: string }) =>
  q
    .deleteFrom('follows')
    .where('creator_id', '=', p.creatorId)
    .where('follower_id', '=', p.followerId),
)

/** False when there was none. */
export async function deleteFollow(
  tx: Tx,
  creatorId: string,
  followerId: string,
): Promise<boolean> {
  return (await tx.run(unfollow, { creatorId, followerId })) > 0
}
