import type { Tx } from '../db/handle.ts'
import { addToRows, deleteRows, listColumn, listRows, listRowsLocked } from '../db/rows.ts'
import type { PostRow } from '../db/tree-tables.ts'
import { deleteDocument } from '../indexing/documents.ts'
import { postTree } from './queries.ts'

async function eraseAll(tx: Tx, userId: string, posts: PostRow[]): Promise<void> {
  const roots = posts.map(({ id, root_id }) => root_id ?? id)
  await listRowsLocked(tx, 'posts', { id: roots }, 'id')
  for (const { id } of posts) {
    await postTree.remove(tx, id, userId)
    await deleteDocument(tx, id)
  }
}

/** Deletes these posts of a user, hidden or not, as if their author deleted them. */
export async function erasePostsIn(tx: Tx, userId: string, ids: string[]): Promise<void> {
  await eraseAll(tx, userId, await listRows(tx, 'posts', { id: ids }))
}

/**
 * Deletes up to `limit` posts of a user, except hidden posts, as if their author deleted them. Returns the number of
 * deleted posts.
 */
export async function erasePostsBy(tx: Tx, userId: string, limit: number): Promise<number> {
  const written = { author_id: userId, is_deleted: 0 } as const
  const posts = await listRows(tx, 'posts', written, { by: 'id', limit })
  await eraseAll(tx, userId, posts)
  return posts.length
}

/** Deletes up to `limit` of a user's likes of posts. Returns the number of likes found. */
export async function erasePostLikesBy(tx: Tx, user_id: string, limit: number): Promise<number> {
  const ids = await listColumn(tx, 'post_likes', 'post_id', { user_id }, { limit })
  await listRowsLocked(tx, 'posts', { id: ids }, 'id')
  // Reads the likes again, because a like may have been removed before its post was locked.
  const liked = await listColumn(tx, 'post_likes', 'post_id', { user_id, post_id: ids })
  await deleteRows(tx, 'post_likes', { user_id, post_id: liked })
  await addToRows(tx, 'posts', { id: liked }, { like_count: -1 })
  return ids.length
}
