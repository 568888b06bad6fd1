import type { InfiniteData } from '@tanstack/react-query'
import type { DataOf, Message } from '#sdk'

type MessagePage = DataOf<'listMessages'>
/** Pages from newest to oldest. Within a page, messages run from oldest to newest. */
export type MessagePages = InfiniteData<MessagePage, string | undefined>

export function messagesOf(cached: Pick<MessagePages, 'pages'> | undefined): Message[] {
  const byId = new Map<string, Message>()
  for (const page of cached?.pages ?? []) {
    for (const message of page.messages) byId.set(message.id, message)
  }
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/**
 * Merges the newest page into the cached pages. If messages between them are missing, the newest page replaces the
 * cached pages.
 */
export function withLatest(cached: MessagePages, latest: MessagePage): MessagePages {
  const newest = messagesOf(cached).at(-1)
  const [oldest] = latest.messages
  const isApart = newest && oldest && latest.next_cursor !== null && oldest.id > newest.id
  if (isApart) return { pages: [latest], pageParams: [undefined] }
  return withMessages(cached, latest.messages)
}

/** Updates cached messages and adds new ones to the first page. A message that is marked as read remains read. */
export function withMessages(cached: MessagePages, messages: readonly Message[]): MessagePages {
  const [first, ...older] = cached.pages
  if (!first) return cached
  const given = new Map(messages.map((message) => [message.id, message]))
  const changed = ({ messages: before, ...page }: MessagePage): MessagePage => ({
    ...page,
    messages: before.map((message) => {
      const now = given.get(message.id)
      given.delete(message.id)
      return now ? { ...now, is_read: now.is_read || message.is_read } : message
    }),
  })
  const olderPages = older.map(changed)
  const page = changed(first)
  const merged = [...page.messages, ...given.values()]
  const inOrder = merged.sort((left, right) => (left.id < right.id ? -1 : 1))
  return { ...cached, pages: [{ ...page, messages: inOrder }, ...olderPages] }
}

export function withAllRead(cached: MessagePages, viewerId: string): MessagePages {
  return {
    ...cached,
    pages: cached.pages.map((page) => ({
      ...page,
      messages: page.messages.map((message) =>
        message.sender_id === viewerId ? message : { ...message, is_read: true },
      ),
    })),
  }
}
