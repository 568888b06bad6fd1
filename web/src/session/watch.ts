/** Detects session changes in other tabs, because all tabs share the session. */
import type { QueryClient } from '@tanstack/react-query'
import { plaza } from './plaza.ts'
import { whenRestoredStale } from '../device/storage.ts'
import { viewerQuery } from './viewer.ts'

/** Storage key of the session's expiry and user id, as in the SDK's `cookieSession`. */
const KEY = 'plaza.session'

export function watchSession(queries: QueryClient): void {
  // Reloads after a sign-in or sign-out in another tab, because this tab shows the previous user's data.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === KEY && isOthers(oldValue, newValue)) location.reload()
  })
  whenRestoredStale(KEY, () => location.reload())
  // Checks the user after a token refresh, because another user may have signed in and replaced the cookie.
  plaza.onSession((session) => {
    if (!session) return
    const before = queries.getQueryData(viewerQuery.queryKey)?.id
    if (!before) return
    void queries
      .fetchQuery({ ...viewerQuery, staleTime: 0 })
      .then(({ id }) => id !== before && location.reload())
      .catch(() => {
        // Ignores the failure, because the next page load repeats the request.
      })
  })
}

/**
 * True when two stored session markers have different users, or only one of them exists. A marker is the expiry of the
 * access token, a space and the user's id.
 */
function isOthers(before: string | null, after: string | null): boolean {
  const whose = (mark: string | null) => mark?.split(' ')[1]
  return (before === null) !== (after === null) || whose(before) !== whose(after)
}
