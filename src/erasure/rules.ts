import { hideForErasure } from '../contents/erase.ts'
import { lockPicture } from '../contents/media.ts'
import { findContentRow } from '../contents/queries.ts'
import { lockOwnContent } from '../contents/rules.ts'
import type { Db, Handle, Tx } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { deleteJobOf, enqueue } from '../jobs/rules.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { emit } from '../webhooks/emit.ts'
import { insertErasure, listFailedErasures } from './queries.ts'

const FAILED_MAX = 100

/**
 * Hides archived content from everyone and queues the erasure of its rows and files. Errors: 404
 * CONTENT_NOT_FOUND, 403 NOT_CONTENT_AUTHOR, 409 CONTENT_NOT_ARCHIVED.
 */
export async function eraseContent(db: Handle, viewer: Viewer, id: string, now: number) {
  await db.transaction(async (tx) => {
    await lockPicture(tx, id)
    await queueErasure(tx, id, now)
    const stats = await lockOwnContent(tx, id, viewer)
    const row = await findContentRow(tx, id)
    if (row?.status !== 'archived') throw new ApiError('CONTENT_NOT_ARCHIVED')
    await beginContentErasure(tx, { ...stats, id }, now)
  })
  return { erasure: { content_id: id, status: 'queued' as const } }
}

/** Locks the job. Lock order: jobs before content items. */
export async function queueErasure(tx: Tx, id: string, now: number): Promise<void> {
  await enqueue(tx, { kind: 'erasure', subject: id, ownerId: '' }, now)
}

/** The caller holds the locks of the content and its jobs, and has queued the erasure. */
async function beginContentErasure(
  tx: Tx,
  { id, creator_id, was_public }: { id: string; creator_id: string; was_public: number },
  now: number,
): Promise<void> {
  await deleteJobOf(tx, 'thumbnail', id)
  await hideForErasure(tx, id, now)
  await insertErasure(tx, id, now)
  if (was_public) {
    await emit(tx, creator_id, 'content.erased', now, async () => ({ content_id: id }))
  }
  // Notifications of users mentioned in the title, and of the creator about the conversion.
  await deleteNotificationsBy(tx, [
    { actor_id: creator_id, subject_id: id },
    { actor_id: '', subject_id: id },
  ])
}

/** Queues erasures again that failed. They never end before everything is erased. */
export async function resumeErasures(db: Db, now: number): Promise<void> {
  for (const id of await listFailedErasures(db, FAILED_MAX)) {
    await db.transaction((tx) => queueErasure(tx, id, now))
  }
}
