import type { Tx } from '../db/handle.ts'
import { findMentioned, type NewNotification } from '../notifications/notify.ts'
import { emit } from '../webhooks/emit.ts'
import { loadForAll } from './load.ts'
import { setPublic } from './visibility.ts'

interface PublishedContent {
  id: string
  creator_id: string
  title: string
}

/**
 * Makes the items public unless their creator is suspended, and emits `content.published` for each. Returns the
 * notifications for users mentioned in the titles, which the caller sends. The caller holds the locks of the
 * items.
 */
export async function present(
  tx: Tx,
  contents: readonly PublishedContent[],
  now: number,
): Promise<NewNotification[]> {
  const shown = await setPublic(tx, contents, true)
  const notices: NewNotification[] = []
  for (const content of contents.filter(({ id }) => shown.has(id))) {
    notices.push(...(await tell(tx, content)))
    const data = async () => ({ content: await loadForAll(tx, content.id) })
    await emit(tx, content.creator_id, 'content.published', now, data)
  }
  return notices
}

async function tell(
  tx: Tx,
  { id, creator_id, title }: PublishedContent,
): Promise<NewNotification[]> {
  const mentioned = await findMentioned(tx, [title])
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
