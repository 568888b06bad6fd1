/** Changes a work wherever it is kept, so that nothing has to be asked again. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Content, ContentDetail } from '#sdk'
import { contentKey } from './queries.ts'

/** Changes it on its own page, and in lists. */
export function changeContent(
  queries: QueryClient,
  id: string,
  change: <W extends Content>(work: W) => W,
): void {
  queries.setQueryData<ContentDetail>(contentKey(id), (kept) => kept && change(kept))
  queries.setQueriesData<InfiniteData<{ feeds: Content[] }>>(
    { queryKey: ['contents', 'lists'] },
    (kept) =>
      kept && {
        ...kept,
        pages: kept.pages.map((page) => ({
          ...page,
          feeds: page.feeds.map((work) => (work.id === id ? change(work) : work)),
        })),
      },
  )
}
