import { eraseBookmarks } from '../bookmarks/erase.ts'
import { eraseComments, findLastComment } from '../comments/erase.ts'
import {
  deleteContent,
  deleteMediaOf,
  listUploadsOf,
  updateLastComment,
} from '../contents/erase.ts'
import { addToViewCounts, findContent } from '../contents/queries.ts'
import type { Db, Tx } from '../db/handle.ts'
import { eraseOrigin } from '../follows/erase.ts'
import { deleteJobOf, findJobLocked } from '../jobs/rules.ts'
import { erasePlays } from '../jump/play.ts'
import { eraseLikes } from '../likes/erase.ts'
import { deleteHiders } from '../moderation/erase.ts'
import { deletePickOf } from '../picks/queries.ts'
import { eraseDays } from '../stats/days.ts'
import type { Store } from '../storage/store.ts'
import { noteRemoved, removeFiles } from '../uploads/removed.ts'
import { releaseUpload } from '../uploads/unused.ts'
import { ERASED_OWNER } from '../users/tombstones.ts'
import { eraseViews } from '../views/queries.ts'
import { lockStats } from './queries.ts'

/** Maximum number of rows that a step erases in one transaction. */
export const ROWS_MAX = 50

/**
 * Erases up to `limit` rows of a content item and returns their number. Updates stored counts, so that they match the
 * rows that remain.
 */
export type ContentStep = (tx: Tx, contentId: string, limit: number) => Promise<number>

/** Steps of an erasure, by the table that refers to content items. Each step is repeated until it returns 0. */
export const CONTENT_STEPS: Record<string, ContentStep> = {
  likes: eraseLikes,
  bookmarks: eraseBookmarks,
  comments: async (tx, id, limit) => {
    const { ids, count } = await eraseComments(tx, id, limit)
    await deleteHiders(tx, ids)
    if (ids.length > 0) await updateLastComment(tx, id, await findLastComment(tx, id))
    return count
  },
  plays: erasePlays,
  content_views: eraseViews,
  picks: deletePickOf,
  follows: eraseOrigin,
  content_days: async (tx, id, limit) => {
    const { count, views } = await eraseDays(tx, id, limit)
    if (views > 0) await addToViewCounts(tx, [{ content_id: id, count: -views }])
    return count
  },
}

/**
 * Erases the rows of a content item that is being erased, and its uploads that nothing else uses. Can be
 * interrupted and repeated.
 */
export async function eraseContentRows(
  { db, store }: { db: Db; store: Store },
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  if ((await findContent(db, id))?.creator_id !== ERASED_OWNER) return removeFiles(db, store)
  for (const step of Object.values(CONTENT_STEPS)) {
    for (let erased = 1; erased > 0; ) {
      signal?.throwIfAborted()
      erased = await db.transaction(async (tx) =>
        (await lockStats(tx, id)) ? step(tx, id, ROWS_MAX) : 0,
      )
    }
  }
  await db.transaction(async (tx) => {
    const uploads = await listUploadsOf(tx, id)
    const hashes = [...new Set(uploads.map(({ file_sha256 }) => file_sha256))]
    // Locks the jobs before the content item, as all code does to prevent deadlocks.
    for (const hash of hashes) await findJobLocked(tx, 'conversion', hash)
    if (!(await lockStats(tx, id))) return
    await deleteMediaOf(tx, id)
    for (const upload of uploads) {
      const file = await releaseUpload(tx, upload.id)
      if (!file) continue
      await noteRemoved(tx, file)
      await deleteJobOf(tx, 'conversion', file.sha256)
    }
    await deleteHiders(tx, [id])
    await deleteContent(tx, id)
  })
  await removeFiles(db, store)
}
