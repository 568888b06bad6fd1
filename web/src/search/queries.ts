import { queryOptions } from '@tanstack/react-query'
import type { ContentType } from '../contents/queries.ts'
import { PEOPLE } from '../creators/queries.ts'
import { byPages, type Key } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 24

export const KINDS = ['contents', 'creators', 'posts', 'tags'] as const
export const SORTS = ['relevance', 'latest', 'popular'] as const
export type Kind = (typeof KINDS)[number]

interface Search {
  q: string
  kind: Kind
  type?: ContentType | undefined
  sort?: (typeof SORTS)[number] | undefined
}

export const trendingQuery = queryOptions({
  queryKey: ['tags', 'trending'],
  queryFn: ({ signal }) => plaza.tags.list({ sort: 'trending', per_page: 12 }, { signal }),
  staleTime: 60_000,
})

/**
 * Prefixes of the query keys of search results. Likes, bookmarks and follows update all lists whose keys have these
 * prefixes.
 */
const ROOTS: Record<Kind, Key> = {
  contents: ['contents', 'lists'],
  creators: PEOPLE,
  posts: ['posts'],
  tags: ['tags'],
}

export function searchQuery({ q, kind, type, sort = 'relevance' }: Search) {
  return byPages([...ROOTS[kind], 'search', sort, type ?? null, q], (page, signal) =>
    plaza.search.listResults(
      { q, kind, sort, page, per_page: PER_PAGE, ...(type && kind === 'contents' && { type }) },
      { signal },
    ),
  )
}
