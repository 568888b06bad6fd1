import { queryOptions, useQuery } from '@tanstack/react-query'
import { plaza } from '../session/plaza.ts'
import { useIsSignedIn } from '../session/viewer.ts'

const POLL_MS = 30_000

export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread-count'],
  queryFn: async ({ signal }) => (await plaza.countUnread({}, { signal })).unread_count,
})

/** Notifications that were not read. Asked again while the page is seen. */
export function useUnreadCount(): number {
  const isSignedIn = useIsSignedIn()
  const { data } = useQuery({ ...unreadQuery, enabled: isSignedIn, refetchInterval: POLL_MS })
  return isSignedIn ? (data ?? 0) : 0
}
