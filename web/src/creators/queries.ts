import { queryOptions } from '@tanstack/react-query'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 30

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
