/** The session is that of all tabs: what one does to it, the others follow. */
import type { QueryClient } from '@tanstack/react-query'
import { plaza } from './plaza.ts'
import { whenRestoredStale } from './restored.ts'
import { viewerQuery } from './viewer.ts'

/** What the store of the session keeps its mark under. */
const KEY = 'plaza.session'

export function watchSession(queries: QueryClient): void {
  // Somebody signed in or out in another tab: what this one shows is theirs or nobody's any more.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === KEY && isOthers(oldValue, newValue)) location.reload()
  })
  whenRestoredStale(KEY, () => location.reload())
  // The cookie may be somebody else's by the time a refresh uses it.
  plaza.onSession((session) => {
    if (!session) return
    const before = queries.getQueryData(viewerQuery.queryKey)?.id
    if (!before) return
    void queries
      .fetchQuery({ ...viewerQuery, staleTime: 0 })
      .then(({ id }) => id !== before && location.reload())
      .catch(() => {
        // It is asked again with the next page.
      })
  })
}

/** Of the marks that the store of the session keeps: its end, and whose it is. */
function isOthers(before: string | null, after: string | null): boolean {
  const whose = (mark: string | null) => mark?.split(' ')[1]
  return (before === null) !== (after === null) || whose(before) !== whose(after)
}
