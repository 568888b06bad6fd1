/** Queries of the library. They refetch on every visit, because most changes are made on other pages. */
import { queryOptions } from '@tanstack/react-query'
import { byCursor, byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 24
const CONVERTING_MS = 5000

export type Status = 'draft' | 'processing' | 'published' | 'archived'

/**
 * Query of the viewer's contents that have this status and match the text `find`. Without a status, it includes all
 * contents that are not archived.
 */
export function ownContentsQuery(status: Status | undefined, find: string | undefined) {
  const filters = { ...(status && { status }), ...(find && { q: find }) }
  return {
    ...byPages(['contents', 'lists', 'own', status ?? null, find ?? null], (page, signal) =>
      plaza.me.listContents({ page, per_page: PER_PAGE, ...filters }, { signal }),
    ),
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: OwnPages | undefined } }) =>
      state.data?.pages.some(({ feeds }) =>
        feeds.some((content) => content.status === 'processing'),
      )
        ? CONVERTING_MS
        : (false as const),
  }
}

interface OwnPages {
  pages: { feeds: { status: string }[] }[]
}

const SAVED = { likes: 'listLikes', bookmarks: 'listBookmarks' } as const
export type SavedList = keyof typeof SAVED

export function savedQuery(list: SavedList) {
  return {
    ...byPages(['contents', 'lists', list], (page, signal) =>
      plaza.me[SAVED[list]]({ page, per_page: PER_PAGE }, { signal }),
    ),
    staleTime: 0,
  }
}

/** Query of the viewer's posts. The key begins with `posts`, so that updates of posts change this list too. */
export function ownPostsQuery() {
  return {
    ...byCursor(['posts', 'own'], (before, signal) =>
      plaza.me.listPosts({ limit: PER_PAGE, ...(before && { before }) }, { signal }),
    ),
    staleTime: 0,
  }
}

const DAY_MS = 86_400_000

function since(days: number): { from: string } {
  return { from: new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10) }
}

export function statsQuery(days: number) {
  return queryOptions({
    queryKey: ['stats', days],
    queryFn: async ({ signal }) => (await plaza.me.getStats(since(days), { signal })).stats,
  })
}

export function contentStatsQuery(id: string, days: number) {
  return queryOptions({
    queryKey: ['stats', days, id],
    queryFn: async ({ signal }) => {
      const [{ content }, { stats }] = await Promise.all([
        plaza.contents.get(id, {}, { signal }),
        plaza.contents.getStats(id, since(days), { signal }),
      ])
      return { content, stats }
    },
  })
}
