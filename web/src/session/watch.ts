/** Reacts to session changes in other tabs, because all tabs share the session. */
import type { QueryClient } from '@tanstack/react-query'
import { plaza } from './plaza.ts'
import { whenRestoredStale } from './restored.ts'
import { viewerQuery } from './viewer.ts'

/** Storage key of the marker that the SDK's session store sets. */
const KEY = 'plaza.session'

export function watchSession(queries: QueryClient): void {
  // A sign-in or sign-out in another tab makes this tab's content outdated.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === KEY && isOthers(oldValue, newValue)) location.reload()
  })
  whenRestoredStale(KEY, () => location.reload())
  // A refresh may use a cookie that another user has set since.
  plaza.onSession((session) => {
    if (!session) return
    const before = queries.getQueryData(viewerQuery.queryKey)?.id
    if (!before) return
    void queries
      .fetchQuery({ ...viewerQuery, staleTime: 0 })
      .then(({ id }) => id !== before && location.reload())
      .catch(() => {
        // The next page requests it again.
      })
  })
}

/** True when the user of the session changed. A marker is the session's expiry, a space and the user's id. */
function isOthers(before: string | null, after: string | null): boolean {
  const whose = (mark: string | null) => mark?.split(' ')[1]
  return (before === null) !== (after === null) || whose(before) !== whose(after)
}
