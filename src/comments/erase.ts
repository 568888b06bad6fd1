import type { Tx } from '../db/handle.ts'
import type { CommentRow } from '../db/tree-tables.ts'
import { deleteRows, listRowsLocked, listColumn, listRows } from '../db/rows.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { commentTree } from './queries.ts'

const newest = (limit: number) => ({ by: 'id', desc: true, limit }) as const

/**
 * Deletes up to `limit` likes of these comments, and the notifications about these likes. Returns the number of
 * deleted likes.
 */
async function eraseLikesOf(tx: Tx, ids: string[], limit: number): Promise<number> {
  // Locks the comments, so that no transaction adds a like.
  await listRowsLocked(tx, 'comments', { id: ids }, 'id')
  const likes = await listRows(tx, 'comment_likes', { comment_id: ids }, { limit })
  for (const [comment_id, own] of Map.groupBy(likes, (like) => like.comment_id)) {
    const user_id = own.map((like) => like.user_id)
    await deleteRows(tx, 'comment_likes', { comment_id, user_id })
  }
  await deleteNotificationsBy(
    tx,
    likes.map((like) => ({ actor_id: like.user_id, subject_id: like.comment_id })),
  )
  return likes.length
}

/**
 * Deletes up to `limit` comments of a content item and the notifications about them. While these comments have likes,
 * deletes up to `limit` likes instead. Returns the ids of the deleted comments and the number of deleted rows. The
 * caller holds the lock of the content and calls `updateLastComment` afterwards.
 */
export async function eraseComments(
  tx: Tx,
  contentId: string,
  limit: number,
): Promise<{ ids: string[]; count: number }> {
  // Unlisted comments come first, and newer ones before older ones, so that replies are deleted before their parent.
  // Replies to an unlisted comment are unlisted too.
  const unlisted = await listRows(
    tx,
    'comments',
    { content_id: contentId, is_listed: 0 },
    newest(limit),
  )
  const comments =
    unlisted.length > 0
      ? unlisted
      : await listRows(tx, 'comments', { content_id: contentId, is_listed: 1 }, newest(limit))
  if (comments.length === 0) return { ids: [], count: 0 }
  const ids = comments.map(({ id }) => id)
  const likes = await eraseLikesOf(tx, ids, limit)
  if (likes > 0) return { ids: [], count: likes }
  for (const { id, author_id } of comments) await commentTree.remove(tx, id, author_id)
  await deleteNotificationsBy(
    tx,
    comments.map(({ id, author_id }) => ({ actor_id: author_id, subject_id: id })),
  )
  await deleteRows(tx, 'comments', { id: ids })
  return { ids, count: ids.length }
}

/** Deletes up to `limit` of a user's likes of comments. Returns the number of likes found. */
export async function eraseCommentLikesBy(tx: Tx, user_id: string, limit: number): Promise<number> {
  const ids = await listColumn(tx, 'comment_likes', 'comment_id', { user_id }, { limit })
  const comments = await listRows(tx, 'comments', { id: ids })
  await lockContentsOf(tx, comments)
  await deleteRows(tx, 'comment_likes', { user_id, comment_id: ids })
  return ids.length
}

async function lockContentsOf(tx: Tx, comments: CommentRow[]): Promise<void> {
  const contents = comments.map(({ content_id }) => content_id)
  await listRowsLocked(tx, 'content_stats', { content_id: contents }, 'content_id')
}

/** Returns the id of a content item's last comment, listed or not, or null without comments. */
export async function findLastComment(tx: Tx, content_id: string): Promise<string | null> {
  const last = [
    ...(await listColumn(tx, 'comments', 'id', { content_id, is_listed: 0 }, newest(1))),
    ...(await listColumn(tx, 'comments', 'id', { content_id, is_listed: 1 }, newest(1))),
  ]
  return last.sort().at(-1) ?? null
}

async function eraseAll(tx: Tx, userId: string, comments: CommentRow[]): Promise<void> {
  await lockContentsOf(tx, comments)
  for (const { id } of comments) await commentTree.remove(tx, id, userId)
}

/**
 * Deletes these comments of a user as if their author deleted them, including comments that a moderator's decision
 * hides.
 */
export async function eraseCommentsIn(tx: Tx, userId: string, ids: string[]): Promise<void> {
  await eraseAll(tx, userId, await listRows(tx, 'comments', { id: ids }))
}

/**
 * Deletes up to `limit` comments of a user as if the user deleted them, and returns the number. Comments that
 * creators hide come last.
 */
export async function eraseCommentsBy(tx: Tx, userId: string, limit: number): Promise<number> {
  const written = { author_id: userId, is_deleted: 0 } as const
  const hidden = { author_id: userId, is_hidden_by_creator: 1 } as const
  const shown = await listRows(tx, 'comments', written, { limit })
  const comments = shown.length > 0 ? shown : await listRows(tx, 'comments', hidden, { limit })
  await eraseAll(tx, userId, comments)
  return comments.length
}
