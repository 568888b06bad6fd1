/** Likes and bookmarks. They apply immediately and are reverted when the server rejects them. */
import { useQueryClient } from '@tanstack/react-query'
import type { Content } from '#sdk'
import { plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import { changeContent } from './cache.ts'

type Change = Partial<Pick<Content, 'is_liked' | 'like_count' | 'is_bookmarked' | 'bookmark_count'>>

function useShow(id: string): (change: Change) => void {
  const queries = useQueryClient()
  return (change) => changeContent(queries, id, (content) => ({ ...content, ...change }))
}

export function useLike({ id, is_liked, like_count }: Content): () => void {
  return useToggle<Change>({
    key: ['like', id],
    isOn: is_liked,
    stateOf: (isOn) => ({
      is_liked: isOn,
      like_count: like_count + Number(isOn) - Number(is_liked),
    }),
    show: useShow(id),
    set: (isWanted) => (isWanted ? plaza.contents.like(id) : plaza.contents.unlike(id)),
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
    set: (isWanted) => (isWanted ? plaza.contents.bookmark(id) : plaza.contents.unbookmark(id)),
  })
}
