/** Conversations and their messages, as they are asked for: all below `['messages']`. */
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { Conversation, DataOf, Message } from '#sdk'
import { byCursor, entriesOf } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { conversationsQuery } from '../shell/unread.ts'
import { type MessagePages, withAllRead, withLatest, withMessages } from './merging.ts'

/** Characters a message may have. */
export const MESSAGE_MAX = 2000
/** So often the list is asked for again while it is seen. */
export const CONVERSATIONS_POLL_MS = 10_000
const MESSAGES_POLL_MS = 5000

type ConversationPages = InfiniteData<DataOf<'listConversations'>, string | undefined>

/** One that is further down the list than was loaded; null where it is in no list of the viewer's. */
function conversationQuery(id: string) {
  return queryOptions({
    queryKey: ['messages', 'conversation', id],
    queryFn: async ({ signal }) => {
      for await (const page of plaza.pages('listConversations', { limit: 100 }, { signal })) {
        const found = page.conversations.find((conversation) => conversation.id === id)
        if (found) return found
      }
      return null
    },
  })
}

/** Undefined until it is known; null where it is in no list of the viewer's. */
export function useConversation(id: string | undefined): Conversation | null | undefined {
  const { data } = useInfiniteQuery(conversationsQuery)
  const listed = entriesOf(data?.pages, (page) => page.conversations).find(
    (conversation) => conversation.id === id,
  )
  const isFurther = id !== undefined && data !== undefined && !listed
  const { data: found } = useQuery({ ...conversationQuery(id ?? ''), enabled: isFurther })
  return listed ?? found
}

/** Whether a person can be written to: suspended people have no profile. */
export function peerQuery(handle: string) {
  return queryOptions({
    queryKey: ['messages', 'peer', handle],
    queryFn: async ({ signal }) => {
      try {
        await plaza.getCreator({ handle }, { signal })
        return { isAvailable: true }
      } catch (error) {
        if (isMissing(error)) return { isAvailable: false }
        throw error
      }
    },
  })
}

function messagesKey(id: string) {
  return ['messages', 'of', id] as const
}

/** The messages of a conversation, the newest page first; `latestQuery` keeps them as they are. */
export function messagesQuery(id: string) {
  return {
    ...byCursor(messagesKey(id), (before, signal) =>
      plaza.listMessages({ id, ...(before && { before }) }, { signal }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    throwOnError: (error: Error) => isMissing(error),
  }
}

/** Asks for the newest messages again and again, and puts them to the others. */
export function latestQuery(queries: QueryClient, id: string) {
  return queryOptions({
    queryKey: ['messages', 'latest', id],
    queryFn: async ({ signal }) => {
      const latest = await plaza.listMessages({ id }, { signal })
      changeMessages(queries, id, (kept) => withLatest(kept, latest))
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
  change: (kept: MessagePages) => MessagePages,
): void {
  queries.setQueryData<MessagePages>(messagesKey(id), (kept) => kept && change(kept))
}

/** A message the server took: it is in its conversation, and that is the latest of all. */
export function addSent(queries: QueryClient, message: Message): void {
  const { conversation_id: id, created_at } = message
  changeMessages(queries, id, (kept) => withMessages(kept, [message]))
  const kept = queries.getQueryData<ConversationPages>(conversationsQuery.queryKey)
  const known = kept?.pages.flatMap((page) => page.conversations).find((one) => one.id === id)
  if (!kept || !known) {
    void queries.invalidateQueries({ queryKey: conversationsQuery.queryKey })
    return
  }
  const latest = { ...known, last_message: message, updated_at: created_at }
  queries.setQueryData<ConversationPages>(conversationsQuery.queryKey, {
    ...kept,
    pages: kept.pages.map((page, at) => {
      const others = page.conversations.filter((one) => one.id !== id)
      return { ...page, conversations: at === 0 ? [latest, ...others] : others }
    }),
  })
}

/** Marks what came as read, here as there. */
export async function markRead(queries: QueryClient, id: string, viewerId: string): Promise<void> {
  await plaza.readConversation({ id })
  changeMessages(queries, id, (kept) => withAllRead(kept, viewerId))
  queries.setQueryData<ConversationPages>(
    conversationsQuery.queryKey,
    (kept) =>
      kept && {
        ...kept,
        pages: kept.pages.map((page) => ({
          ...page,
          conversations: page.conversations.map((one) =>
            one.id === id ? { ...one, unread_count: 0 } : one,
          ),
        })),
      },
  )
}
