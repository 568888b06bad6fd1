import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Content, ContentDetail } from '#sdk'
import { contentKey } from './queries.ts'

/** Updates a content item in every cached list and on its page. */
export function changeContent(
  queries: QueryClient,
  id: string,
  change: <W extends Content>(content: W) => W,
): void {
  queries.setQueryData<ContentDetail>(contentKey(id), (cached) => cached && change(cached))
  queries.setQueriesData<InfiniteData<{ feeds: Content[] }>>(
    { queryKey: ['contents', 'lists'] },
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({
          ...page,
          feeds: page.feeds.map((content) => (content.id === id ? change(content) : content)),
        })),
      },
  )
}
