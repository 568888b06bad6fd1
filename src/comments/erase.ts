import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Tx } from '../db/handle.ts'
import { deleteRows, listRowsLocked } from '../db/rows.ts'
import { FALSE, statement, statementFamily } from '../db/statement.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { commentTree } from './queries.ts'

const newest = statementFamily(({ isListed }: { isListed: Flag }) =>
  statement((q, p: { contentId: string; limit: number }) =>
    q
      .selectFrom('comments')
      .select(['id', 'author_id'])
      .where('content_id', '=', p.contentId)
      .where('is_listed', '=', sql.lit(isListed))
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
)

/**
 * Deletes up to `limit` comments of a content item, the newest first, with the notifications about them.
 * Returns their ids. The caller holds the lock of the content and calls `updateLastComment` afterwards.
 */
export async function eraseComments(tx: Tx, contentId: string, limit: number): Promise<string[]> {
  // Replies to an unlisted comment are unlisted too, and newer. So no deleted comment has replies.
  const unlisted = await tx.all(newest({ isListed: 0 }), { contentId, limit })
  const comments =
    unlisted.length > 0 ? unlisted : await tx.all(newest({ isListed: 1 }), { contentId, limit })
  if (comments.length === 0) return []
  for (const { id, author_id } of comments) await commentTree.remove(tx, id, author_id)
  await deleteNotificationsBy(
    tx,
    comments.map(({ id, author_id }) => ({ actor_id: author_id, subject_id: id })),
  )
  const ids = comments.map(({ id }) => id)
  await deleteRows(tx, 'comments', { id: ids })
  return ids
}

/** Returns the id of the last comment, listed or not. */
export async function findLastComment(tx: Tx, contentId: string): Promise<string | null> {
  const found = await Promise.all(
    ([0, 1] as const).map((isListed) => tx.first(newest({ isListed }), { contentId, limit: 1 })),
  )
  return found.reduce<string | null>(
    (last, row) => (row && (last === null || row.id > last) ? row.id : last),
    null,
  )
}

const byAuthor = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom('comments')
    .select(['id', 'content_id'])
    .where('author_id', '=', p.userId)
    .where('is_deleted', '=', FALSE)
    .limit(p.limit),
)

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q.selectFrom('comments').select(['id', 'content_id']).where(dialect.anyOf('id', p.ids)),
)

/** Deletes these comments of a user, hidden or not, as their author would. */
export async function eraseCommentsIn(tx: Tx, userId: string, ids: string[]): Promise<void> {
  const comments = await tx.all(byIds, { ids })
  await listRowsLocked(
    tx,
    'content_stats',
    { content_id: comments.map(({ content_id }) => content_id) },
    'content_id',
  )
  for (const { id } of comments) await commentTree.remove(tx, id, userId)
}

/** Deletes up to `limit` comments of a user, as their author would. Returns their number. */
export async function eraseCommentsBy(tx: Tx, userId: string, limit: number): Promise<number> {
  const comments = await tx.all(byAuthor, { userId, limit })
  await listRowsLocked(
    tx,
    'content_stats',
    { content_id: comments.map(({ content_id }) => content_id) },
    'content_id',
  )
  for (const { id } of comments) await commentTree.remove(tx, id, userId)
  return comments.length
}
