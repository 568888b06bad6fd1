import { queryOptions, useQuery } from '@tanstack/react-query'
import { plaza } from '../session/plaza.ts'
import { useIsSignedIn } from '../session/viewer.ts'

const POLL_MS = 30_000

/** Conversations that are looked through: whoever has more that are unread learns of these. */
const CONVERSATIONS = 30

export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread-count'],
  queryFn: async ({ signal }) => (await plaza.countUnread({}, { signal })).unread_count,
})

export const unreadMessagesQuery = queryOptions({
  queryKey: ['messages', 'unread-count'],
  queryFn: async ({ signal }) => {
    const { conversations } = await plaza.listConversations({ limit: CONVERSATIONS }, { signal })
    return conversations.reduce((sum, { unread_count }) => sum + unread_count, 0)
  },
})

/** Notifications that were not read. Asked again while the page is seen. */
export function useUnreadCount(): number {
  return usePolled(unreadQuery)
}

/** Messages that were not read, in the conversations of late. Asked again while the page is seen. */
export function useUnreadMessageCount(): number {
  return usePolled(unreadMessagesQuery)
}

function usePolled(query: typeof unreadQuery): number {
  const isSignedIn = useIsSignedIn()
  const { data } = useQuery({ ...query, enabled: isSignedIn, refetchInterval: POLL_MS })
  return isSignedIn ? (data ?? 0) : 0
}
