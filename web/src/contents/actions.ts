import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Content, ContentDetail } from '#sdk'
import { plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import { useCopyLink } from '../ui/copying.ts'
import { contentKey } from './queries.ts'

/** Returns the state of a like after a toggle, for `useToggle`. */
export function likedOf({ is_liked, like_count }: Pick<Content, 'is_liked' | 'like_count'>) {
  return (isOn: boolean) => ({
    is_liked: isOn,
    like_count: like_count + Number(isOn) - Number(is_liked),
  })
}

type Change = Partial<Pick<Content, 'is_liked' | 'like_count' | 'is_bookmarked' | 'bookmark_count'>>

function useShow(id: string): (change: Change) => void {
  const queries = useQueryClient()
  return (change) => changeContent(queries, id, (content) => ({ ...content, ...change }))
}

export function useLike(content: Content): () => void {
  const { id } = content
  return useToggle<Change>({
    key: ['like', id],
    isOn: content.is_liked,
    stateOf: likedOf(content),
    show: useShow(id),
    set: (desired) => (desired ? plaza.contents.like(id) : plaza.contents.unlike(id)),
  })
}

export function useBookmark({ id, is_bookmarked, bookmark_count }: Content): () => void {
  return useToggle<Change>({
    key: ['bookmark', id],
    isOn: is_bookmarked,
    stateOf: (isOn) => ({
      is_bookmarked: isOn,
      bookmark_count: bookmark_count + Number(isOn) - Number(is_bookmarked),
    }),
    show: useShow(id),
    set: (desired) => (desired ? plaza.contents.bookmark(id) : plaza.contents.unbookmark(id)),
  })
}

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

export function useShare(): (content: { id: string; title: string }) => Promise<void> {
  const copyLink = useCopyLink()
  return async ({ id, title }) => {
    const url = `${location.origin}/contents/${id}`
    // Copies the link on desktops, because their share sheets offer few targets.
    if ('share' in navigator && matchMedia('(hover: none)').matches) {
      // Ignores the rejection, because browsers also reject when the user closes the share sheet.
      await navigator.share({ title, url }).catch(() => {})
    } else await copyLink(url)
  }
}
