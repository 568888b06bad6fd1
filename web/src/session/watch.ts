/** Detects session changes in other tabs, because all tabs share the session. */
import type { QueryClient } from '@tanstack/react-query'
import { plaza } from './plaza.ts'
import { whenRestoredStale } from './restored.ts'
import { viewerQuery } from './viewer.ts'

/** Storage key under which the SDK's session store writes a marker of the session. */
const KEY = 'plaza.session'

export function watchSession(queries: QueryClient): void {
  // After a sign-in or sign-out in another tab, this tab shows the wrong user's data.
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
        // Ignored, because the next page requests the viewer again.
      })
  })
}

/**
 * Compares two stored markers of the session. Returns true when a session has started or ended, or its user has
 * changed. A marker contains the access token's expiry, a space and the user's id. The expiry is ignored, because
 * every refresh changes it.
 */
function isOthers(before: string | null, after: string | null): boolean {
  const whose = (mark: string | null) => mark?.split(' ')[1]
  return (before === null) !== (after === null) || whose(before) !== whose(after)
}
