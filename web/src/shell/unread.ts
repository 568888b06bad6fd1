import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { byCursor, entriesOf } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { useIsSignedIn } from '../session/viewer.ts'

const POLL_MS = 30_000

/** Conversations to a page: outside the messages the badge tells of the latest so many. */
const CONVERSATIONS = 30

export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread-count'],
  queryFn: async ({ signal }) => (await plaza.countUnread({}, { signal })).unread_count,
})

/** By latest activity. The messages page has the same list, so it is asked for once. */
export const conversationsQuery = byCursor(['messages', 'conversations'], (before, signal) =>
  plaza.listConversations({ limit: CONVERSATIONS, ...(before && { before }) }, { signal }),
)

/** Notifications that were not read. Asked again while the page is seen. */
export function useUnreadCount(): number {
  const isSignedIn = useIsSignedIn()
  const { data } = useQuery({ ...unreadQuery, enabled: isSignedIn, refetchInterval: POLL_MS })
  return isSignedIn ? (data ?? 0) : 0
}

/** Messages that were not read, in the conversations of late. Asked again while the page is seen. */
export function useUnreadMessageCount(): number {
  const isSignedIn = useIsSignedIn()
  useFirstPageOnly()
  const { data } = useInfiniteQuery({
    ...conversationsQuery,
    enabled: isSignedIn,
    refetchInterval: POLL_MS,
  })
  if (!isSignedIn) return 0
  return entriesOf(data?.pages, ({ conversations }) => conversations).reduce(
    (sum, { unread_count }) => sum + unread_count,
    0,
  )
}

/** Outside the messages one page is kept: every page that is kept would be asked for each time. */
function useFirstPageOnly(): void {
  const queries = useQueryClient()
  const isAtMessages = useRouterState({
    select: ({ location }) => location.pathname.startsWith('/messages'),
  })
  useEffect(() => {
    if (isAtMessages) return
    queries.setQueryData(
      conversationsQuery.queryKey,
      (kept) => kept && { pages: kept.pages.slice(0, 1), pageParams: kept.pageParams.slice(0, 1) },
    )
  }, [isAtMessages, queries])
}
