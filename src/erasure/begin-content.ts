import { toScheduleKey } from '../contents/conversion.ts'
import { hideForErasure } from '../contents/erase.ts'
import { lockPicture } from '../contents/media.ts'
import type { Tx } from '../db/handle.ts'
import { deleteJobOf, enqueue } from '../jobs/rules.ts'
import { closeAppealsAbout } from '../moderation/erase.ts'
import { deleteNotificationsBy } from '../notifications/erase.ts'
import { detachDays } from '../stats/days.ts'
import { emit } from '../webhooks/emit.ts'
import { insertErasure } from './queries.ts'

/** Queues the erasure of a content item or user, and locks the job. */
export async function queueErasure(tx: Tx, id: string, now: number): Promise<void> {
  await enqueue(tx, { kind: 'erasure', subject: id, ownerId: '' }, now)
}

/**
 * Locks the thumbnail and picture jobs of a content item, and queues its erasure. Call it before locking the content
 * item, because jobs come first in the lock order.
 */
export async function lockForErasure(tx: Tx, id: string, now: number): Promise<void> {
  await lockPicture(tx, id)
  await queueErasure(tx, id, now)
}

/**
 * Begins the erasure of a content item: hides it from everyone and empties its row. The job that
 * `lockForErasure` queued deletes the other rows. The item must not be public. The caller holds its lock.
 */
export async function beginContentErasure(
  tx: Tx,
  { id, creator_id, was_public }: { id: string; creator_id: string; was_public: number },
  now: number,
): Promise<void> {
  await deleteJobOf(tx, 'thumbnail', id)
  await deleteJobOf(tx, 'sizes', id)
  await hideForErasure(tx, id, now)
  await detachDays(tx, id)
  await insertErasure(tx, id, now)
  await closeAppealsAbout(tx, id, now)
  if (was_public) {
    await emit(tx, creator_id, 'content.erased', now, async () => ({ content_id: id }))
  }
  // Deletes three kinds of notifications: to users mentioned in the title, about the conversion, and about the
  // scheduled publication.
  await deleteNotificationsBy(tx, [
    { actor_id: creator_id, subject_id: id },
    { actor_id: '', subject_id: id },
    toScheduleKey({ id }),
  ])
}
