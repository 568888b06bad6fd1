import type { Tx } from '../db/handle.ts'
import { findMentioned } from '../notifications/mentions.ts'
import type { NewNotification } from '../notifications/notify.ts'
import { emit } from '../webhooks/emit.ts'
import { loadForAll } from './load.ts'
import { type AccessChange, refreshAccess } from './visibility.ts'

/**
 * Opens newly published items to their viewers, and announces those that become public. The caller holds the locks of
 * the items and sends the returned notifications.
 */
export async function present(
  tx: Tx,
  contents: readonly { id: string; creator_id: string }[],
  now: number,
): Promise<NewNotification[]> {
  return announce(tx, await refreshAccess(tx, contents, now), now)
}

/**
 * Emits `content.published` for each item that becomes public. Returns the notifications for users mentioned in
 * the titles, which the caller sends.
 */
export async function announce(
  tx: Tx,
  changes: readonly AccessChange[],
  now: number,
): Promise<NewNotification[]> {
  const notifications: NewNotification[] = []
  for (const change of changes.filter(({ isPublic, wasPublic }) => isPublic && !wasPublic)) {
    notifications.push(...(await listMentions(tx, change)))
    const data = async () => ({ content: await loadForAll(tx, change.content_id) })
    await emit(tx, change.creator_id, 'content.published', now, data)
  }
  return notifications
}

async function listMentions(
  tx: Tx,
  { content_id: id, creator_id, title }: AccessChange,
): Promise<NewNotification[]> {
  const mentioned = await findMentioned(tx, title)
  return mentioned.map((to) => ({
    to,
    type: 'mention',
    kind: 'mention.content',
    actorId: creator_id,
    subjectId: id,
    params: { title },
    link: `/contents/${id}`,
  }))
}
