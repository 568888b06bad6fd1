/** Makes published content public and reports them to mentioned users and webhooks. */
import type { Tx } from '../db/handle.ts'
import { findMentioned } from '../notifications/mentions.ts'
import type { NewNotification } from '../notifications/rules.ts'
import { emit } from '../webhooks/emit.ts'
import { loadForAll } from './load.ts'
import { setPublic } from './visibility.ts'

interface PublishedWork {
  id: string
  creator_id: string
  title: string
}

/**
 * Makes published content public, unless the creator is suspended. Returns the notifications for mentioned
 * users, which the caller sends. The caller holds the locks of the content items.
 */
export async function present(
  tx: Tx,
  works: readonly PublishedWork[],
  now: number,
): Promise<NewNotification[]> {
  const shown = await setPublic(tx, works, true)
  const notices: NewNotification[] = []
  for (const work of works.filter(({ id }) => shown.has(id))) {
    notices.push(...(await tell(tx, work)))
    const data = async () => ({ content: await loadForAll(tx, work.id) })
    await emit(tx, work.creator_id, 'content.published', now, data)
  }
  return notices
}

async function tell(tx: Tx, { id, creator_id, title }: PublishedWork): Promise<NewNotification[]> {
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
