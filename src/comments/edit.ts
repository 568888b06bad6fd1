import type { Handle } from '../db/handle.ts'
import { FALSE, statement, TRUE } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { spendRate } from '../limits/write-rate.ts'
import { commentTree, findComment, lockContentOf } from './queries.ts'
import { notifyUsers } from './rules.ts'
import { toComment } from './schema.ts'

const edit = statement(
  (q, p: { id: string; authorId: string; body: string; now: number }, dialect) =>
    q
      .updateTable('comments')
      .set((e) => ({ body: p.body, updated_at: dialect.greatest(e.ref('updated_at'), p.now) }))
      .where('id', '=', p.id)
      .where('author_id', '=', p.authorId)
      .where('is_deleted', '=', FALSE),
)

// No row when only the content's author can open the content.
const contentOf = statement((q, p: { id: string }) =>
  q
    .selectFrom('comments')
    .innerJoin('content_stats', 'content_stats.content_id', 'comments.content_id')
    .innerJoin('contents', 'contents.id', 'comments.content_id')
    .leftJoin('comments as parents', 'parents.id', 'comments.parent_id')
    .select(['contents.creator_id', 'contents.title', 'parents.author_id as parent_author_id'])
    .select('content_stats.shared_with')
    .where('comments.id', '=', p.id)
    .where((e) =>
      e.or([
        e('content_stats.is_public', '=', TRUE),
        e('content_stats.shared_with', 'is not', null),
      ]),
    ),
)

/**
 * Edits a comment and notifies newly mentioned users who can open the content. An edit counts against the rate limit
 * of new comments, because it can send notifications.
 * Errors: 404 COMMENT_NOT_FOUND when the comment is missing, deleted or another user's; 429 RATE_LIMITED.
 */
export function updateComment(db: Handle, viewer: Viewer, id: string, body: string, now: number) {
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'talk', now)
    const edited = await tx.run(edit, { id, authorId: viewer.id, body, now })
    const comment = edited > 0 ? await findComment(tx, id, viewer.id) : undefined
    if (!comment) throw new ApiError('COMMENT_NOT_FOUND')
    const content = await tx.first(contentOf, { id })
    if (content) await notifyUsers(tx, comment, content, content.parent_author_id, now)
    return toComment(comment)
  })
}

/**
 * Deletes the viewer's comment, even when the content is no longer public. A comment with listed replies stays
 * in the list without text and author. Errors: 404 COMMENT_NOT_FOUND when the comment is missing, deleted or
 * another user's.
 */
export function deleteComment(db: Handle, viewer: Viewer, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockContentOf(tx, id)
    if (!(await commentTree.remove(tx, id, viewer.id))) throw new ApiError('COMMENT_NOT_FOUND')
  })
}
