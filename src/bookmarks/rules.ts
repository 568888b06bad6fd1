import { sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import { rawQuery, statement } from '../db/statement.ts'
import { type ToggleMode, toggleRow } from '../db/toggle.ts'
import { isOpenTo } from '../db/visibility.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'

const openContent = statement((q, p: { id: string; viewerId: string }, dialect) =>
  rawQuery<{ bookmark_count: number }>(
    q,
    sql`select bookmark_count
      from content_stats where content_id = ${p.id} and ${isOpenTo(p.viewerId)} ${dialect.lock}`,
  ),
)

/**
 * Sets, removes or toggles the viewer's bookmark. Locks the content's counts, so parallel bookmarks of one item run one
 * after the other. Errors: 404 CONTENT_NOT_FOUND.
 */
export function bookmarkContent(
  db: Handle,
  viewer: Viewer,
  id: string,
  mode: ToggleMode,
  now: number,
) {
  return db.transaction(async (tx) => {
    const content = await tx.first(openContent, { id, viewerId: viewer.id })
    if (!content) throw new ApiError('CONTENT_NOT_FOUND')
    const key = { content_id: id, user_id: viewer.id }
    const { isSet, change } = await toggleRow(tx, 'bookmarks', mode, key, { created_at: now })
    return { is_bookmarked: isSet, bookmark_count: content.bookmark_count + change }
  })
}
