import type { Tx } from '../db/handle.ts'
import { statement, statementFamily } from '../db/statement.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { deleteRelation } from './queries.ts'
import { addToUserCounts, lockUserCounts } from '../users/counts.ts'

type Reaction = 'likes' | 'bookmarks'

const reactionsOf = statementFamily(({ table }: { table: Reaction }) =>
  statement((q, p: { contentId: string; limit: number }) =>
    q
      .selectFrom(table)
      .select(['content_id', 'user_id'])
      .where('content_id', '=', p.contentId)
      .limit(p.limit),
  ),
)

const remove = statementFamily(({ table }: { table: Reaction }) =>
  statement((q, p: { contentId: string; userIds: string[] }, dialect) =>
    q
      .deleteFrom(table)
      .where('content_id', '=', p.contentId)
      .where(dialect.anyOf('user_id', p.userIds)),
  ),
)

/**
 * Deletes up to `limit` likes or bookmarks of a content item, with the notifications about them. Returns their
 * number. The caller holds the lock of the content.
 */
export async function eraseReactions(
  tx: Tx,
  table: Reaction,
  contentId: string,
  limit: number,
): Promise<number> {
  const rows = await tx.all(reactionsOf({ table }), { contentId, limit })
  if (rows.length === 0) return 0
  await tx.run(remove({ table }), { contentId, userIds: rows.map(({ user_id }) => user_id) })
  if (table === 'likes') {
    await deleteNotificationsBy(
      tx,
      rows.map(({ user_id }) => ({ actor_id: user_id, subject_id: contentId })),
    )
  }
  return rows.length
}

const reactionsBy = statementFamily(({ table }: { table: Reaction }) =>
  statement((q, p: { userId: string; limit: number }) =>
    q.selectFrom(table).select('content_id').where('user_id', '=', p.userId).limit(p.limit),
  ),
)

const lockContents = statement((q, p: { ids: string[] }, dialect) =>
  dialect.locked(
    q
      .selectFrom('content_stats')
      .select('content_id')
      .where(dialect.anyOf('content_id', p.ids))
      .orderBy('content_id'),
  ),
)

const removeBy = statementFamily(({ table }: { table: Reaction }) =>
  statement((q, p: { userId: string; ids: string[] }, dialect) =>
    q.deleteFrom(table).where('user_id', '=', p.userId).where(dialect.anyOf('content_id', p.ids)),
  ),
)

/** Deletes up to `limit` likes or bookmarks by a user. Returns their number. */
export async function eraseReactionsBy(
  tx: Tx,
  table: Reaction,
  userId: string,
  limit: number,
): Promise<number> {
  const ids = (await tx.all(reactionsBy({ table }), { userId, limit })).map((row) => row.content_id)
  if (ids.length === 0) return 0
  await tx.all(lockContents, { ids })
  await tx.run(removeBy({ table }), { userId, ids })
  return ids.length
}

const followsOf = statementFamily(({ by }: { by: 'creator_id' | 'follower_id' }) =>
  statement((q, p: { userId: string; limit: number }) =>
    q
      .selectFrom('follows')
      .select(['creator_id', 'follower_id', 'is_follower_suspended'])
      .where(by, '=', p.userId)
      .limit(p.limit),
  ),
)

/** Deletes up to `limit` follows by and of a user. Returns their number. */
export async function eraseFollows(tx: Tx, userId: string, limit: number): Promise<number> {
  const by = await tx.all(followsOf({ by: 'follower_id' }), { userId, limit })
  const follows =
    by.length > 0 ? by : await tx.all(followsOf({ by: 'creator_id' }), { userId, limit })
  await lockUserCounts(
    tx,
    follows.flatMap(({ creator_id, follower_id }) => [creator_id, follower_id]),
  )
  for (const { creator_id, follower_id, is_follower_suspended } of follows) {
    const pair = { targetId: creator_id, userId: follower_id }
    if ((await deleteRelation(tx, 'follows', pair)) && is_follower_suspended) {
      await addToUserCounts(tx, [{ userId: creator_id, suspended_follower_count: -1 }])
    }
  }
  return follows.length
}
