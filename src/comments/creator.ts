/** Actions of a creator on comments on the creator's content: hiding comments and pinning one. */
import { updatePinned } from '../contents/queries.ts'
import { lockOwnContent } from '../contents/rules.ts'
import type { Handle } from '../db/handle.ts'
import { hasRow, updateRows } from '../db/rows.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { BY_CREATOR } from '../threads/schema.ts'
import { commentTree, findComment, lockContentOf } from './queries.ts'
import { toComment } from './schema.ts'

/**
 * Hides a comment on the viewer's content, or shows it again. Hiding also unpins the comment.
 * Errors: 404 COMMENT_NOT_FOUND when the comment is missing, deleted, hidden by a moderator or on another user's
 * content.
 */
export function setCommentHidden(db: Handle, viewer: Viewer, id: string, isHidden: boolean) {
  return db.transaction(async (tx) => {
    await lockContentOf(tx, id)
    const comment = await findComment(tx, id, viewer.id)
    const wasHidden = comment?.hidden_by === BY_CREATOR
    if (comment?.creator_id !== viewer.id || (comment.is_deleted && !wasHidden)) {
      throw new ApiError('COMMENT_NOT_FOUND')
    }
    if (isHidden === wasHidden) return toComment(comment)
    if (isHidden) await commentTree.hide(tx, id, BY_CREATOR)
    else await commentTree.unhide(tx, id, null)
    await updateRows(tx, 'comments', { id }, { is_hidden_by_creator: isHidden ? 1 : 0 })
    if (comment.is_pinned) await updatePinned(tx, comment.content_id, null)
    const changed = await findComment(tx, id, viewer.id)
    return toComment(changed ?? comment)
  })
}

/**
 * Pins a comment on the viewer's content in place of the pinned one. Null only unpins.
 * Errors: 403 NOT_CONTENT_AUTHOR; 404 CONTENT_NOT_FOUND; 422 when the comment is a reply, deleted, hidden, missing or
 * on other content.
 */
export function pinComment(db: Handle, viewer: Viewer, contentId: string, id: string | null) {
  return db.transaction(async (tx) => {
    await lockOwnContent(tx, contentId, viewer)
    const pinnable = { content_id: contentId, parent_id: null, is_deleted: 0 } as const
    if (id !== null && !(await hasRow(tx, 'comments', { id, ...pinnable }))) {
      throw invalid('comment_id', 'invalid.pinned')
    }
    await updatePinned(tx, contentId, id)
    return { pinned_comment_id: id }
  })
}
