/** Queries of the library. They refetch on every visit, because most changes are made on other pages. */
import { byCursor, byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 24
const CONVERTING_MS = 5000

export type Status = 'draft' | 'processing' | 'published' | 'archived'

/** Lists the viewer's content with a status. Without a status, lists all content that is not archived. */
export function ownContentsQuery(status: Status | undefined) {
  return {
    ...byPages(['contents', 'lists', 'own', status ?? null], (page, signal) =>
      plaza.me.listContents({ page, per_page: PER_PAGE, ...(status && { status }) }, { signal }),
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

export function likesQuery() {
  return {
    ...byPages(['contents', 'lists', 'likes'], (page, signal) =>
      plaza.me.listLikes({ page, per_page: PER_PAGE }, { signal }),
    ),
    staleTime: 0,
  }
}

export function bookmarksQuery() {
  return {
    ...byPages(['contents', 'lists', 'bookmarks'], (page, signal) =>
      plaza.me.listBookmarks({ page, per_page: PER_PAGE }, { signal }),
    ),
    staleTime: 0,
  }
}

/** Lists the viewer's posts. The key begins with `posts`, so that updates of posts change this list too. */
export function ownPostsQuery() {
  return {
    ...byCursor(['posts', 'own'], (before, signal) =>
      plaza.me.listPosts({ limit: PER_PAGE, ...(before && { before }) }, { signal }),
    ),
    staleTime: 0,
  }
}
