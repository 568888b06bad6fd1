import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId, timeOf } from '../db/ids.ts'
import { listColumn, sendInsert } from '../db/rows.ts'
import { FALSE, rawQuery, statement } from '../db/statement.ts'
import { isBlocked } from '../db/user-filters.ts'
import { isOpenTo } from '../db/visibility.ts'
import type { SharedWith } from '../db/visibility-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { spendRate } from '../limits/write-rate.ts'
import { findMentioned } from '../notifications/mentions.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import { emit } from '../webhooks/emit.ts'
import { type CommentInput, type CommentRecordRow, toComment } from './schema.ts'

interface LockedContent {
  creator_id: string
  title: string
  shared_with: SharedWith | null
  last_comment_id: string | null
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
const addReply = statement((q, p: { content_id: string; parent_id: string; viewerId: string }) =>
  q
    .updateTable('comments')
    .set((e) => ({
      reply_count: e('reply_count', '+', 1),
      listed_reply_count: e('listed_reply_count', '+', 1),
    }))
    .where('id', '=', p.parent_id)
    .where('content_id', '=', p.content_id)
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
  content_id: string,
  { body, parent_id = null }: CommentInput,
  now: number,
) {
  return db.transaction(async (tx) => {
    await spendRate(tx, viewer, 'talk', now)
    const content = await tx.first(openContent, { id: content_id, viewerId: viewer.id })
    if (!content) throw new ApiError('CONTENT_NOT_FOUND')
    if (content.is_refused) throw new ApiError('NOT_ALLOWED_HERE')
    const parent =
      parent_id === null
        ? undefined
        : await tx.first(addReply, { content_id, parent_id, viewerId: viewer.id })
    if (parent_id !== null && !parent) throw invalid('parent_id', 'invalid.parent')
    if (parent?.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const id = newId('cmt', now, content.last_comment_id)
    const root_id = parent ? (parent.root_id ?? parent_id) : null
    const keys = { id, content_id, parent_id, root_id, author_id: viewer.id }
    const state = { is_deleted: 0, is_listed: 1, hidden_by: null } as const
    const counts = { reply_count: 0, listed_reply_count: 0, like_count: 0 }
    const times = { created_at: timeOf(id), updated_at: timeOf(id) }
    const row = { ...keys, body, ...state, ...counts, ...times }
    await sendInsert(tx, 'comments', row)
    await notifyUsers(tx, row, content, parent?.author_id, now)
    const user = await tx.first(author, { id: viewer.id })
    if (!user) throw new Error(`user ${viewer.id} does not exist`)
    const comment = toComment({ ...row, ...user })
    await emit(tx, content.creator_id, 'comment.created', now, async () => ({ comment }))
    return comment
  })
}

/**
 * Notifies the author of the content, the author of the parent and mentioned users, if they can open the content. A
 * repeated call notifies only users who have no notification about this comment yet.
 */
export async function notifyUsers(
  tx: Tx,
  comment: Pick<CommentRecordRow, 'id' | 'author_id' | 'content_id' | 'body'>,
  { creator_id, title, shared_with }: Pick<LockedContent, 'creator_id' | 'title' | 'shared_with'>,
  parentAuthorId: string | null | undefined,
  now: number,
): Promise<void> {
  const { id, author_id, content_id, body } = comment
  const link = `/contents/${content_id}#${id}`
  const about = { actorId: author_id, subjectId: id, params: { title }, link }
  const notifications: NewNotification[] = []
  if (parentAuthorId) {
    notifications.push({ ...about, to: parentAuthorId, type: 'comment', kind: 'comment.reply' })
  }
  notifications.push({ ...about, to: creator_id, type: 'comment', kind: 'comment.content' })
  for (const to of await findMentioned(tx, body)) {
    if (to === creator_id || to === parentAuthorId) continue
    notifications.push({ ...about, to, type: 'mention', kind: 'mention.comment' })
  }
  if (shared_with !== 'followers') return notify(tx, notifications, now)
  // As `isOpenTo` says, content for followers is open to its creator too.
  const among = { creator_id, follower_id: notifications.map(({ to }) => to) }
  const readers = [creator_id, ...(await listColumn(tx, 'follows', 'follower_id', among))]
  const allowed = notifications.filter(({ to }) => readers.includes(to))
  await notify(tx, allowed, now)
}
