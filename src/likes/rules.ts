import { sql } from 'kysely'
import { loadForAll } from '../contents/load.ts'
import type { Flag } from '../db/flag.ts'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { type ToggleMode, toggleRow } from '../db/toggle.ts'
import { isBlocked } from '../db/user-filters.ts'
import { isOpenTo } from '../db/visibility.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { notify, withdraw } from '../notifications/notify.ts'
import { loadUserRef } from '../users/accounts.ts'
import { emit } from '../webhooks/emit.ts'

type LockedContent = { creator_id: string; title: string; like_count: number; is_blocked: Flag }

// Reads the title in a subquery, because a join would also lock the row in `contents`.
const openContent = statement((q, p: { id: string; viewerId: string }, dialect) =>
  rawQuery<LockedContent>(
    q,
    sql`select creator_id, like_count,
        (select title from contents where id = content_id) as title,
        ${isBlocked(p.viewerId, sql.ref('creator_id'))} as is_blocked
      from content_stats where content_id = ${p.id} and ${isOpenTo(p.viewerId)} ${dialect.lock}`,
  ),
)

/**
 * Sets, removes or toggles the viewer's like. Locks the content's counts, so parallel likes of one item run one after
 * the other. A new like emits `content.liked`, and notifies the creator unless the viewer is the creator. Removing a
 * like withdraws its unread notification. Errors: 404 CONTENT_NOT_FOUND; 403 NOT_ALLOWED_HERE for a new like when the
 * viewer or the creator has blocked the other.
 */
export function likeContent(db: Handle, viewer: Viewer, id: string, mode: ToggleMode, now: number) {
  return db.transaction(async (tx) => {
    const content = await tx.first(openContent, { id, viewerId: viewer.id })
    if (!content) throw new ApiError('CONTENT_NOT_FOUND')
    const key = { content_id: id, user_id: viewer.id }
    const { isSet, change } = await toggleRow(tx, 'likes', mode, key, { created_at: now })
    if (change === 1 && content.is_blocked) throw new ApiError('NOT_ALLOWED_HERE')
    const notification = {
      to: content.creator_id,
      type: 'like',
      kind: 'like.content',
      actorId: viewer.id,
      subjectId: id,
      params: { title: content.title },
      link: `/contents/${id}`,
    } as const
    if (change === 1) {
      await notify(tx, [notification], now)
      await emit(tx, content.creator_id, 'content.liked', now, async () => ({
        content: await loadForAll(tx, id),
        actor: await loadUserRef(tx, viewer.id),
      }))
    }
    if (change === -1) await withdraw(tx, notification)
    return { is_liked: isSet, like_count: content.like_count + change }
  })
}
