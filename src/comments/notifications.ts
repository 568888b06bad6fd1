import { sql } from 'kysely'
import type { Tx } from '../db/handle.ts'
import { statement, TRUE } from '../db/statement.ts'
import { isOpenTo } from '../db/visibility.ts'
import type { SharedWith } from '../db/visibility-tables.ts'
import { findMentioned } from '../notifications/mentions.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import type { CommentRecordRow } from './schema.ts'

interface CommentContext {
  creator_id: string
  title: string
  shared_with: SharedWith | null
  parent_author_id: string | null
}

const context = statement((q, p: { id: string }) =>
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
 * Returns the data for notifications about a comment. Returns undefined when the comment is missing or only the
 * content's author can open the content.
 */
export function findCommentContext(tx: Tx, id: string) {
  return tx.first(context, { id })
}

const readers = statement((q, p: { contentId: string; userIds: string[] }, dialect) =>
  q
    .selectFrom('content_stats')
    .innerJoin('users', (join) => join.on(dialect.anyOf('users.id', p.userIds)))
    .select('users.id')
    .where('content_stats.content_id', '=', p.contentId)
    .where(isOpenTo(sql.ref('users.id'))),
)

/** Returns the notifications to users who can open the content. */
async function filterReaders(tx: Tx, contentId: string, notifications: NewNotification[]) {
  const userIds = notifications.map(({ to }) => to)
  const found = await tx.all(readers, { contentId, userIds })
  return notifications.filter(({ to }) => found.some(({ id }) => id === to))
}

/**
 * Notifies the author of the content, the author of the parent and mentioned users, if they can open the content. A
 * repeated call notifies only users who have no notification about this comment yet.
 */
export async function notifyUsers(
  tx: Tx,
  comment: Pick<CommentRecordRow, 'id' | 'author_id' | 'content_id' | 'body'>,
  { creator_id, title, shared_with, parent_author_id }: CommentContext,
  now: number,
): Promise<void> {
  const notification = {
    actorId: comment.author_id,
    subjectId: comment.id,
    params: { title },
    link: `/contents/${comment.content_id}#${comment.id}`,
  }
  const notifications: NewNotification[] = []
  if (parent_author_id !== null) {
    const to = parent_author_id
    notifications.push({ ...notification, to, type: 'comment', kind: 'comment.reply' })
  }
  notifications.push({ ...notification, to: creator_id, type: 'comment', kind: 'comment.content' })
  for (const to of await findMentioned(tx, comment.body)) {
    if (to === creator_id || to === parent_author_id) continue
    notifications.push({ ...notification, to, type: 'mention', kind: 'mention.comment' })
  }
  const isLimited = shared_with === 'followers'
  const allowed = isLimited
    ? await filterReaders(tx, comment.content_id, notifications)
    : notifications
  await notify(tx, allowed, now)
}
