import { queryOptions } from '@tanstack/react-query'
import { plaza } from '../session/plaza.ts'

/** Sessions of the account: this device first, then by last use. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => {
    const { sessions } = await plaza.sessions.list({}, { signal })
    return sessions.toSorted(
      (a, b) =>
        Number(b.is_current) - Number(a.is_current) || b.last_seen_at.localeCompare(a.last_seen_at),
    )
  },
  staleTime: 0,
})
