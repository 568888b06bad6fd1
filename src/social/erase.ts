import type { Tx } from '../db/handle.ts'
import { statement, statementFamily } from '../db/statement.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'

type Mark = 'likes' | 'bookmarks'

const marksOf = statementFamily(({ table }: { table: Mark }) =>
  statement((q, p: { contentId: string; limit: number }) =>
    q
      .selectFrom(table)
      .select(['content_id', 'user_id'])
      .where('content_id', '=', p.contentId)
      .limit(p.limit),
  ),
)

const remove = statementFamily(({ table }: { table: Mark }) =>
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
export async function eraseMarks(
  tx: Tx,
  table: Mark,
  contentId: string,
  limit: number,
): Promise<number> {
  const rows = await tx.all(marksOf({ table }), { contentId, limit })
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
