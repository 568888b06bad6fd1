import { requireOwnContent, requireVisibleContent } from '../contents/rules.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput, paginationOf } from '../http/page.ts'
import { collapses } from '../users/schema.ts'
import { findComment, listCommentRows } from './queries.ts'
import { type CommentQuery, toComment } from './schema.ts'

/** Returns a page of the comments on content that the viewer can read. Errors: 404 CONTENT_NOT_FOUND. */
export async function listComments(
  db: Handle,
  viewer: Viewer | null,
  contentId: string,
  query: CommentQuery,
) {
  const { parent_id } = query
  const scope = parent_id === undefined ? 'content' : parent_id === 'none' ? 'top' : 'replies'
  const order = ({ oldest: 'asc', newest: 'desc', top: 'top' } as const)[query.sort]
  const target = {
    contentId,
    parentId: parent_id ?? '',
    viewerId: viewer?.id ?? '',
    ...offsetOf(query),
  }
  const view = { signedIn: viewer !== null, collapses: collapses(viewer, query) }
  const choices = { scope, order, ...view, ofAny: false } as const
  let found = await listCommentRows(db, choices, target)
  if (!found && viewer) {
    // Moderators and the content's author can also read comments on content that is not open.
    await requireVisibleContent(db, contentId, viewer)
    found = await listCommentRows(db, { ...choices, ofAny: true }, target)
  }
  if (!found) throw new ApiError('CONTENT_NOT_FOUND')
  const { comments, pinnedId } = found
  const pinned =
    pinnedId === null
      ? undefined
      : (comments.find(({ id }) => id === pinnedId) ??
        (await findComment(db, pinnedId, target.viewerId, view.collapses)))
  return {
    comments: comments.map(toComment),
    pinned_comment: pinned && !pinned.is_deleted ? toComment(pinned) : null,
    pagination: paginationOf(query, found.total),
  }
}

/**
 * Returns a page of the comments that the viewer hides on a content item of the viewer, newest first, with texts and
 * authors.
 * Errors: 403 NOT_CONTENT_AUTHOR, 404 CONTENT_NOT_FOUND.
 */
export async function listHiddenComments(
  db: Handle,
  viewer: Viewer,
  contentId: string,
  query: PageInput,
) {
  await requireOwnContent(db, contentId, viewer)
  const found = await listCommentRows(
    db,
    { scope: 'hidden', order: 'desc', signedIn: true, collapses: false, ofAny: true },
    { contentId, parentId: '', viewerId: viewer.id, ...offsetOf(query) },
  )
  const { comments = [], total = 0 } = found ?? {}
  return {
    comments: comments.map((row) =>
      toComment({ ...row, body: row.hidden_body ?? '', is_deleted: 0 }),
    ),
    pagination: paginationOf(query, total),
  }
}
