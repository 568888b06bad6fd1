import { findContentRow } from '../contents/queries.ts'
import { lockOwnContent } from '../contents/rules.ts'
import type { Db, Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { listErasedBetween } from '../users/tombstones.ts'
import { beginContentErasure, lockForErasure, queueErasure } from './begin-content.ts'
import { listFailedErasures } from './queries.ts'

const FAILED_MAX = 100
const MINUTE_MS = 60_000

/**
 * Hides archived content from everyone and queues the erasure of its rows and files. Errors: 404
 * CONTENT_NOT_FOUND, 403 NOT_CONTENT_AUTHOR, 409 CONTENT_NOT_ARCHIVED.
 */
export async function eraseContent(db: Handle, viewer: Viewer, id: string, now: number) {
  await db.transaction(async (tx) => {
    await lockForErasure(tx, id, now)
    const stats = await lockOwnContent(tx, id, viewer)
    const row = await findContentRow(tx, id)
    if (row?.status !== 'archived') throw new ApiError('CONTENT_NOT_ARCHIVED')
    await beginContentErasure(tx, { ...stats, id }, now)
  })
  return { erasure: { content_id: id, status: 'queued' as const } }
}

/**
 * Queues failed erasures again. Also repeats each user's erasure after a minute: a request that was still
 * running may have written rows.
 */
export async function resumeErasures(db: Db, now: number): Promise<void> {
  const ids = [
    ...(await listFailedErasures(db, FAILED_MAX)),
    ...(await listErasedBetween(db, now - 3 * MINUTE_MS, now - MINUTE_MS)),
  ]
  for (const id of ids) await db.transaction((tx) => queueErasure(tx, id, now))
}
