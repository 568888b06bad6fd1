import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Conversation, DataOf, Message } from '#sdk'
import { byCursor, entriesOf } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { conversationsQuery } from '../shell/unread.ts'
import { type MessagePages, withAllRead, withLatest, withMessages } from './messageRows.ts'

/** Maximum length of a message, in characters. */
export const MESSAGE_MAX = 2000
/** Milliseconds between polls of the conversations and the unread counts. */
export const CONVERSATIONS_POLL_MS = 10_000
/** Milliseconds between polls of the open conversation's messages. */
const MESSAGES_POLL_MS = 5000

type ConversationPages = InfiniteData<DataOf<'listConversations'>, string | undefined>

/**
 * Query of a conversation that is not in the loaded list. Searches all pages of the requests and of the accepted
 * conversations. Null when the viewer has no such conversation.
 */
function conversationQuery(id: string) {
  return queryOptions({
    queryKey: ['messages', 'conversation', id],
    queryFn: async ({ signal }) => {
      for (const state of ['request', 'accepted'] as const) {
        const list = plaza.conversations.list({ limit: 100, state }, { signal })
        for await (const page of list.pages()) {
          const found = page.conversations.find((conversation) => conversation.id === id)
          if (found) return found
        }
      }
      return null
    },
  })
}

/**
 * Returns the search parameters that keep the selected list (conversations or requests) in links to a conversation and
 * back.
 */
export function useListSearch(): { state?: 'request' } {
  const { state } = useSearch({ strict: false })
  return state ? { state } : {}
}

export const requestsQuery = byCursor(['messages', 'requests'], (before, signal) =>
  plaza.conversations.list({ state: 'request', ...(before && { before }) }, { signal }),
)

export const unreadMessagesQuery = queryOptions({
  queryKey: ['messages', 'unread-count'],
  queryFn: ({ signal }) => plaza.conversations.countUnreadMessages({}, { signal }),
})

/** Returns a conversation by its id. Undefined while loading, null when the viewer has no such conversation. */
export function useConversation(id: string | undefined): Conversation | null | undefined {
  const { data } = useInfiniteQuery(conversationsQuery)
  const listed = entriesOf(data?.pages, (page) => page.conversations).find(
    (conversation) => conversation.id === id,
  )
  const isFurther = id !== undefined && data !== undefined && !listed
  const { data: found } = useQuery({ ...conversationQuery(id ?? ''), enabled: isFurther })
  return listed ?? found
}

/**
 * Query that checks whether the viewer can write to a user. `isAvailable` is false for a suspended or unknown user, who
 * has no profile. `isBlocked` is true when the viewer has blocked the user.
 */
export function peerQuery(handle: string) {
  return queryOptions({
    queryKey: ['messages', 'peer', handle],
    queryFn: async ({ signal }) => {
      try {
        const { creator } = await plaza.creators.get(handle, {}, { signal })
        return { isAvailable: true, isBlocked: creator.is_blocked }
      } catch (error) {
        if (isMissing(error)) return { isAvailable: false, isBlocked: false }
        throw error
      }
    },
  })
}

function messagesKey(id: string) {
  return ['messages', 'of', id] as const
}

export function messagesQuery(id: string) {
  return {
    ...byCursor(messagesKey(id), (before, signal) =>
      plaza.conversations.listMessages(id, { ...(before && { before }) }, { signal }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    throwOnError: (error: Error) => isMissing(error),
  }
}

export function latestQuery(queries: QueryClient, id: string) {
  return queryOptions({
    queryKey: ['messages', 'latest', id],
    queryFn: async ({ signal }) => {
      const latest = await plaza.conversations.listMessages(id, {}, { signal })
      changeMessages(queries, id, (cached) => withLatest(cached, latest))
      return latest.messages.at(-1)?.id ?? null
    },
    refetchInterval: MESSAGES_POLL_MS,
    staleTime: MESSAGES_POLL_MS,
    gcTime: 0,
  })
}

function changeMessages(
  queries: QueryClient,
  id: string,
  change: (cached: MessagePages) => MessagePages,
): void {
  queries.setQueryData<MessagePages>(messagesKey(id), (cached) => cached && change(cached))
}

export function addSent(queries: QueryClient, message: Message): void {
  const { conversation_id: id, created_at } = message
  changeMessages(queries, id, (cached) => withMessages(cached, [message]))
  const cached = queries.getQueryData<ConversationPages>(conversationsQuery.queryKey)
  const known = cached?.pages
    .flatMap((page) => page.conversations)
    .find((conversation) => conversation.id === id)
  if (!cached || !known) {
    void queries.invalidateQueries({ queryKey: conversationsQuery.queryKey })
    return
  }
  const latest = { ...known, last_message: message, updated_at: created_at }
  queries.setQueryData<ConversationPages>(conversationsQuery.queryKey, {
    ...cached,
    pages: cached.pages.map((page, index) => {
      const others = page.conversations.filter((conversation) => conversation.id !== id)
      return { ...page, conversations: index === 0 ? [latest, ...others] : others }
    }),
  })
}

/** Accepts a message request, and refetches all lists of conversations. */
export async function accept(queries: QueryClient, id: string): Promise<void> {
  await plaza.conversations.accept(id)
  await queries.invalidateQueries({ queryKey: ['messages'] })
}

/** Removes a conversation with its messages for the viewer, and refetches the lists of conversations. */
export async function leave(queries: QueryClient, id: string): Promise<void> {
  await plaza.conversations.leave(id)
  queries.removeQueries({ queryKey: messagesKey(id) })
  for (const list of ['conversations', 'requests', 'unread-count', 'conversation'])
    void queries.invalidateQueries({ queryKey: ['messages', list] })
}

export async function removeMessage(queries: QueryClient, message: Message): Promise<void> {
  await plaza.conversations.deleteMessage(message.id)
  const deleted = { ...message, body: '', is_deleted: true }
  changeMessages(queries, message.conversation_id, (cached) => withMessages(cached, [deleted]))
  void queries.invalidateQueries({ queryKey: conversationsQuery.queryKey })
}

export async function markRead(queries: QueryClient, id: string, viewerId: string): Promise<void> {
  await plaza.conversations.markRead(id)
  changeMessages(queries, id, (cached) => withAllRead(cached, viewerId))
  queries.setQueryData<ConversationPages>(
    conversationsQuery.queryKey,
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({
          ...page,
          conversations: page.conversations.map((conversation) =>
            conversation.id === id ? { ...conversation, unread_count: 0 } : conversation,
          ),
        })),
      },
  )
}
