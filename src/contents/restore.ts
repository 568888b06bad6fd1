import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import type { Language } from '../messages/language.ts'
import { lockPicture, queuePicture } from './media.ts'
import { findContentRow, updateContentRow, updatePublishedAt } from './queries.ts'
import { getContent, lockOwnContent } from './rules.ts'
import type { ContentDetailRecord } from './schema.ts'

/**
 * Makes an archived content item a draft. Its likes and comments stay. Errors: 404 CONTENT_NOT_FOUND, 403
 * NOT_CONTENT_AUTHOR, 409 CONTENT_NOT_ARCHIVED.
 */
export async function restoreContent(
  db: Handle,
  viewer: Viewer,
  id: string,
  { now, language }: { now: number; language: Language },
): Promise<{ content: ContentDetailRecord }> {
  await db.transaction(async (tx) => {
    // Locks the thumbnail and size jobs first, because jobs come before contents in the lock order.
    await lockPicture(tx, id)
    await lockOwnContent(tx, id, viewer)
    const row = await findContentRow(tx, id)
    if (row?.status !== 'archived') throw new ApiError('CONTENT_NOT_ARCHIVED')
    await updateContentRow(tx, {
      ...row,
      status: 'draft',
      published_at: null,
      updated_at: Math.max(now, row.updated_at),
    })
    await updatePublishedAt(tx, id, null)
    if (row.thumbnail_url === null) await queuePicture(tx, row, now)
  })
  return getContent(db, id, viewer, language)
}
