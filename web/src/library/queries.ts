/** Lists of one's own. They are asked for anew whenever one comes back: most of what fills them happens elsewhere. */
import { byCursor, byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 24
const CONVERTING_MS = 5000

export type Status = 'draft' | 'processing' | 'published' | 'archived'

/** Works; all but the archived unless a status is given. Looked at again while one is being converted. */
export function ownContentsQuery(status: Status | undefined) {
  return {
    ...byPages(['contents', 'lists', 'own', status ?? null], (page, signal) =>
      plaza.listOwnContents({ page, per_page: PER_PAGE, ...(status && { status }) }, { signal }),
    ),
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: OwnPages | undefined } }) =>
      state.data?.pages.some(({ feeds }) => feeds.some((work) => work.status === 'processing'))
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
      plaza.listOwnLikes({ page, per_page: PER_PAGE }, { signal }),
    ),
    staleTime: 0,
  }
}

export function bookmarksQuery() {
  return {
    ...byPages(['contents', 'lists', 'bookmarks'], (page, signal) =>
      plaza.listOwnBookmarks({ page, per_page: PER_PAGE }, { signal }),
    ),
    staleTime: 0,
  }
}

/** Below `['posts']`, so that what is done to posts finds them. */
export function ownPostsQuery() {
  return {
    ...byCursor(['posts', 'own'], (before, signal) =>
      plaza.listMyPosts({ limit: PER_PAGE, ...(before && { before }) }, { signal }),
    ),
    staleTime: 0,
  }
}
