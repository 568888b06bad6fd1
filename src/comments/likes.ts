import { type SqlBool, sql } from 'kysely'
import { isOpenTo } from '../db/visibility.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle } from '../db/handle.ts'
import { deleteRows, insertNew } from '../db/rows.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { isBlocked } from '../db/user-filters.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { notify, withdraw } from '../notifications/notify.ts'

interface LockedComment {
  content_id: string
  author_id: string
  like_count: number
  title: string
  is_blocked: Flag
  /** True when the comment's author can open the content. */
  is_open: SqlBool
}

// Reads the content in subqueries, because a join would also lock the content.
const likable = statement((q, p: { id: string; viewerId: string }, dialect) =>
  rawQuery<LockedComment>(
    q,
    sql`select content_id, author_id, like_count,
        (select title from contents where contents.id = comments.content_id) as title,
        ${isBlocked(p.viewerId, sql.ref('author_id'))} as is_blocked,
        exists (select 1 from content_stats as stats where stats.content_id = comments.content_id
          and ${isOpenTo(sql.ref('comments.author_id'), 'stats')}) as is_open
      from comments where id = ${p.id} and is_deleted = 0
        and exists (select 1 from content_stats as stats
          where stats.content_id = comments.content_id and ${isOpenTo(p.viewerId, 'stats')})
        ${dialect.lock}`,
  ),
)

/**
 * Adds or removes the viewer's like of a comment. A new like notifies the comment's author if the author can open the
 * content. Removing the like withdraws an unread notification.
 * Errors: 404 COMMENT_NOT_FOUND when the comment is missing, deleted or hidden, or its content is not open to the
 * viewer; 403 NOT_ALLOWED_HERE for a new like when the viewer or the author has blocked the other.
 */
export function setCommentLike(
  db: Handle,
  viewer: Viewer,
  id: string,
  is_liked: boolean,
  now: number,
) {
  return db.transaction(async (tx) => {
    const comment = await tx.first(likable, { id, viewerId: viewer.id })
    if (!comment) throw new ApiError('COMMENT_NOT_FOUND')
    const like = { comment_id: id, user_id: viewer.id }
    const isChanged = is_liked
      ? await insertNew(tx, 'comment_likes', { ...like, created_at: now })
      : (await deleteRows(tx, 'comment_likes', like)) > 0
    if (!isChanged) return { is_liked, like_count: comment.like_count }
    if (is_liked && comment.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const notification = {
      to: comment.author_id,
      type: 'like',
      kind: 'like.comment',
      actorId: viewer.id,
      subjectId: id,
      params: { title: comment.title },
      link: `/contents/${comment.content_id}#${id}`,
    } as const
    if (!is_liked) await withdraw(tx, notification)
    else if (comment.is_open) await notify(tx, [notification], now)
    return { is_liked, like_count: comment.like_count + (is_liked ? 1 : -1) }
  })
}
