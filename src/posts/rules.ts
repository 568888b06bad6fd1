import type { Handle, Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { ApiError } from '../errors.ts'
import { may, type Viewer } from '../http/auth.ts'
import { deleteDocument } from '../indexing/documents.ts'
import { spendRate } from '../limits/write-rate.ts'
import { findMentioned } from '../notifications/mentions.ts'
import { type NewNotification, notify, withdraw } from '../notifications/notify.ts'
import {
  addReplyTo,
  deletePostLike,
  findHiddenPost,
  findPost,
  findPostLocked,
  insertPost,
  insertPostLike,
  lockThread,
  lockTimeline,
  postTree,
  updateLastReply,
  updateLikeCount,
  updateTimeline,
} from './queries.ts'
import { type PostRecordRow, toPost } from './schema.ts'

/**
 * Returns a post that the viewer can read. Moderators can also read hidden posts. Errors: 404 POST_NOT_FOUND when the
 * post is missing, deleted, or hidden from the viewer.
 */
export async function requirePost(db: Handle, viewer: Viewer | null, id: string) {
  const viewerId = viewer?.id ?? ''
  const post =
    (await findPost(db, id, viewerId)) ??
    (may(viewer, 'moderate') ? await findHiddenPost(db, id, viewerId) : undefined)
  if (!post) throw new ApiError('POST_NOT_FOUND')
  return post
}

/**
 * Creates a top-level post. Creates its id while the timeline is locked, so a client that repeatedly requests newer
 * posts misses none. Errors: 429 RATE_LIMITED.
 */
export function createPost(db: Handle, viewer: Viewer, body: string, now: number) {
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'talk', now)
    const last = await lockTimeline(tx)
    const id = newId('pst', now, last)
    const row = { id, author_id: viewer.id, body, parent_id: null, root_id: null }
    await insertPost(tx, { ...row, created_at: timeOf(id) })
    await updateTimeline(tx, id)
    await notifyUsers(tx, row, null, await findMentioned(tx, body), now)
    return toPost(await requirePost(tx, viewer, id))
  })
}

/**
 * Creates a reply, whose id sorts after all earlier replies of the thread. Errors: 404 POST_NOT_FOUND when the parent
 * is missing or deleted; 403 NOT_ALLOWED_HERE when the viewer or the parent's author has blocked the other; 429
 * RATE_LIMITED.
 */
export function createReply(
  db: Handle,
  viewer: Viewer,
  parentId: string,
  body: string,
  now: number,
) {
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'talk', now)
    const root = await lockThread(tx, parentId)
    const parent = root && (await addReplyTo(tx, parentId, viewer.id))
    if (!parent) throw new ApiError('POST_NOT_FOUND')
    if (parent.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const id = newId('pst', now, root.last_reply_id ?? root.id)
    const row = { id, author_id: viewer.id, body, parent_id: parentId, root_id: root.id }
    await insertPost(tx, { ...row, created_at: timeOf(id) })
    await updateLastReply(tx, root.id, id)
    await notifyUsers(tx, row, parent.author_id, await findMentioned(tx, body), now)
    return toPost(await requirePost(tx, viewer, id))
  })
}

/**
 * Deletes the viewer's post. A post with listed replies stays in the list without text and author. Errors: 404
 * POST_NOT_FOUND for a post that is missing, deleted or another user's.
 */
export function deletePost(db: Handle, viewer: Viewer, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockThread(tx, id)
    const removal = await postTree.remove(tx, id, viewer.id)
    if (!removal) throw new ApiError('POST_NOT_FOUND')
    await deleteDocument(tx, id)
  })
}

/**
 * Adds or removes the viewer's like of a post and returns the new state. Repeated calls have no effect. Errors: 404
 * POST_NOT_FOUND when the post is missing or deleted; 403 NOT_ALLOWED_HERE for a new like when the viewer or the
 * author has blocked the other.
 */
export function setPostLike(
  db: Handle,
  viewer: Viewer,
  id: string,
  is_liked: boolean,
  now: number,
) {
  return db.transaction(async (tx) => {
    const post = await findPostLocked(tx, id, viewer.id)
    if (!post) throw new ApiError('POST_NOT_FOUND')
    const changed = is_liked
      ? await insertPostLike(tx, id, viewer.id, now)
      : await deletePostLike(tx, id, viewer.id)
    if (!changed) return { is_liked, like_count: post.like_count }
    if (is_liked && post.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const like_count = post.like_count + (is_liked ? 1 : -1)
    await updateLikeCount(tx, id, like_count)
    const notification = {
      to: post.author_id,
      type: 'like',
      kind: 'like.post',
      actorId: viewer.id,
      subjectId: id,
      link: `/posts/${id}`,
    } as const
    if (is_liked) await notify(tx, [notification], now)
    else await withdraw(tx, notification)
    return { is_liked, like_count }
  })
}

async function notifyUsers(
  tx: Tx,
  post: Pick<PostRecordRow, 'id' | 'author_id'>,
  parentAuthorId: string | null,
  mentioned: string[],
  now: number,
): Promise<void> {
  const notification = { actorId: post.author_id, subjectId: post.id, link: `/posts/${post.id}` }
  const notifications: NewNotification[] = []
  if (parentAuthorId !== null) {
    notifications.push({
      ...notification,
      to: parentAuthorId,
      type: 'comment',
      kind: 'comment.post',
    })
  }
  for (const to of mentioned) {
    if (to === parentAuthorId) continue
    notifications.push({ ...notification, to, type: 'mention', kind: 'mention.post' })
  }
  await notify(tx, notifications, now)
}
