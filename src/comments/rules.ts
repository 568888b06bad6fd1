import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { sendInsert } from '../db/rows.ts'
import { FALSE, rawQuery, statement } from '../db/statement.ts'
import { isBlocked } from '../db/user-filters.ts'
import { isOpenTo } from '../db/visibility.ts'
import type { SharedWith } from '../db/visibility-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { spendRate } from '../limits/write-rate.ts'
import { emit } from '../webhooks/emit.ts'
import { findCommentContext, notifyUsers } from './notifications.ts'
import { commentTree, findComment, lockContentOf } from './queries.ts'
import { type CommentInput, toComment } from './schema.ts'

interface LockedContent {
  creator_id: string
  title: string
  last_comment_id: string | null
  shared_with: SharedWith | null
  /** 1 when the comment policy excludes the viewer, or when the creator or the viewer has blocked the other. */
  is_refused: Flag
}

// Reads the title in a subquery, because a join would also lock the row in `contents`.
const openContent = statement((q, p: { id: string; viewerId: string }, dialect) =>
  rawQuery<LockedContent>(
    q,
    sql`select creator_id, last_comment_id, shared_with,
        (select title from contents where id = content_id) as title,
        case when ${isBlocked(p.viewerId, sql.ref('creator_id'))} = 1 or comment_policy = 'closed'
          or (comment_policy = 'followers' and creator_id <> ${p.viewerId} and not exists (
            select 1 from follows where follows.creator_id = content_stats.creator_id
              and follower_id = ${p.viewerId})) then 1 else 0 end as is_refused
      from content_stats where content_id = ${p.id} and ${isOpenTo(p.viewerId)} ${dialect.lock}`,
  ),
)

/**
 * Adds a reply to the counts of its parent. Returns the parent's root and author, and whether that author or the
 * viewer has blocked the other. Returns no row when the parent is missing, deleted or on other content.
 */
const addReply = statement((q, p: { contentId: string; parentId: string; viewerId: string }) =>
  q
    .updateTable('comments')
    .set((e) => ({
      reply_count: e('reply_count', '+', 1),
      listed_reply_count: e('listed_reply_count', '+', 1),
    }))
    .where('id', '=', p.parentId)
    .where('content_id', '=', p.contentId)
    .where('is_deleted', '=', FALSE)
    .returning(['root_id', 'author_id'])
    .returning(isBlocked(p.viewerId, sql.ref('comments.author_id')).as('is_blocked')),
)

const author = statement((q, p: { id: string }) =>
  q
    .selectFrom('users')
    .select(['handle', 'display_name', 'avatar_url', 'avatar_sizes'])
    .where('id', '=', p.id),
)

/**
 * Creates a comment and notifies users about it. The content is locked while the id is created, so new comments come
 * last.
 * Errors: 404 CONTENT_NOT_FOUND; 403 NOT_ALLOWED_HERE when the comment policy excludes the viewer, or a block exists
 * between the viewer and the content's creator or the parent's author; 422 when the parent is missing, deleted or on
 * other content; 429 RATE_LIMITED.
 */
export function createComment(
  db: Handle,
  viewer: Viewer,
  contentId: string,
  { body, parent_id: parentId = null }: CommentInput,
  now: number,
) {
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'talk', now)
    const content = await tx.first(openContent, { id: contentId, viewerId: viewer.id })
    if (!content) throw new ApiError('CONTENT_NOT_FOUND')
    if (content.is_refused) throw new ApiError('NOT_ALLOWED_HERE')
    const parent =
      parentId === null
        ? undefined
        : await tx.first(addReply, { contentId, parentId, viewerId: viewer.id })
    if (parentId !== null && !parent) throw invalid('parent_id', 'invalid.parent')
    if (parent?.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const id = newId('cmt', now, content.last_comment_id)
    const row = {
      id,
      content_id: contentId,
      parent_id: parentId,
      root_id: parent ? (parent.root_id ?? parentId) : null,
      author_id: viewer.id,
      body,
      is_deleted: 0,
      is_listed: 1,
      reply_count: 0,
      listed_reply_count: 0,
      like_count: 0,
      created_at: timeOf(id),
      updated_at: timeOf(id),
      hidden_by: null,
    } as const
    await sendInsert(tx, 'comments', row)
    const { creator_id, title, shared_with } = content
    const parent_author_id = parent?.author_id ?? null
    const context = { creator_id, title, shared_with, parent_author_id }
    await notifyUsers(tx, row, context, now)
    const user = await tx.first(author, { id: viewer.id })
    if (!user) throw new Error(`user ${viewer.id} does not exist`)
    const comment = toComment({ ...row, ...user })
    await emit(tx, creator_id, 'comment.created', now, async () => ({ comment }))
    return comment
  })
}

const edit = statement(
  (q, p: { id: string; authorId: string; body: string; now: number }, dialect) =>
    q
      .updateTable('comments')
      .set((e) => ({ body: p.body, updated_at: dialect.greatest(e.ref('updated_at'), p.now) }))
      .where('id', '=', p.id)
      .where('author_id', '=', p.authorId)
      .where('is_deleted', '=', FALSE),
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
    const context = await findCommentContext(tx, id)
    if (context) await notifyUsers(tx, comment, context, now)
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
