import { queryOptions } from '@tanstack/react-query'
import { byCursor, byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 30
const POSTS_PER_PAGE = 24

export function creatorKey(handle: string) {
  return ['creators', 'one', handle.toLowerCase()] as const
}

export function creatorQuery(handle: string) {
  return queryOptions({
    queryKey: creatorKey(handle),
    queryFn: async ({ signal }) => (await plaza.creators.get(handle, {}, { signal })).creator,
  })
}

/** `followers`: users who follow the creator. `following`: creators that the creator follows. */
export type Direction = 'followers' | 'following'
const LISTS = { followers: 'listFollowers', following: 'listFollowing' } as const

export const PEOPLE = ['creators', 'people'] as const

export function usersKey(handle: string, direction: Direction) {
  return [...PEOPLE, direction, handle.toLowerCase()] as const
}

export function usersQuery(handle: string, direction: Direction) {
  return byPages(usersKey(handle, direction), (page, signal) =>
    plaza.creators[LISTS[direction]](handle, { page, per_page: PER_PAGE }, { signal }),
  )
}

/**
 * Query of a creator's most popular content, as a list with one entry. The list is empty if the creator has no
 * content.
 */
export function featuredQuery(handle: string) {
  return queryOptions({
    queryKey: ['contents', 'featured', handle],
    // Avoids refetches, which could return a content item of a different height and move the list while the user reads.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) =>
      (await plaza.creators.listContents(handle, { sort: 'popular', per_page: 1 }, { signal }))
        .feeds,
  })
}

/** Query of a creator's posts. The key begins with `posts`, so that updates of posts change this list too. */
export function creatorPostsQuery(handle: string) {
  return byCursor(['posts', 'creator', handle], (before, signal) =>
    plaza.creators.listPosts(
      handle,
      { limit: POSTS_PER_PAGE, ...(before && { before }) },
      { signal },
    ),
  )
}
