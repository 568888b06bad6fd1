/** Likes and bookmarks: shown at once, taken back where the server did not take them. */
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Content, ContentDetail } from '#sdk'
import { plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import { contentKey } from './queries.ts'

type Change = Partial<Pick<Content, 'is_liked' | 'like_count' | 'is_bookmarked' | 'bookmark_count'>>

/** Changes a work wherever it is kept: on its own page, and in lists. */
function changeContent(queries: QueryClient, id: string, change: Change): void {
  queries.setQueryData<ContentDetail>(contentKey(id), (kept) => kept && { ...kept, ...change })
  queries.setQueriesData<InfiniteData<{ feeds: Content[] }>>(
    { queryKey: ['contents', 'lists'] },
    (kept) =>
      kept && {
        ...kept,
        pages: kept.pages.map((page) => ({
          ...page,
          feeds: page.feeds.map((work) => (work.id === id ? { ...work, ...change } : work)),
        })),
      },
  )
}

function useShow(id: string): (change: Change) => void {
  const queries = useQueryClient()
  return (change) => changeContent(queries, id, change)
}

/** Gives what turns the like of a work around. */
export function useLike({ id, is_liked, like_count }: Content): () => void {
  return useToggle<Change>({
    key: ['like', id],
    isOn: is_liked,
    stateOf: (isOn) => ({
      is_liked: isOn,
      like_count: like_count + Number(isOn) - Number(is_liked),
    }),
    show: useShow(id),
    set: (isWanted) => (isWanted ? plaza.setLike({ id }) : plaza.unsetLike({ id })),
  })
}

/** Gives what turns the bookmark of a work around. */
export function useBookmark({ id, is_bookmarked, bookmark_count }: Content): () => void {
  return useToggle<Change>({
    key: ['bookmark', id],
    isOn: is_bookmarked,
    stateOf: (isOn) => ({
      is_bookmarked: isOn,
      bookmark_count: bookmark_count + Number(isOn) - Number(is_bookmarked),
    }),
    show: useShow(id),
    set: (isWanted) => (isWanted ? plaza.setBookmark({ id }) : plaza.unsetBookmark({ id })),
  })
}
