/** Works as they are asked for. Lists stand below `['contents', 'lists']`, so that toggles find them. */
import { queryOptions } from '@tanstack/react-query'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 24

export function contentKey(id: string) {
  return ['contents', 'one', id] as const
}

export function contentQuery(id: string) {
  return queryOptions({
    queryKey: contentKey(id),
    queryFn: async ({ signal }) => (await plaza.readContent({ id }, { signal })).content,
  })
}

export type Order = 'latest' | 'popular' | 'following'
const FEEDS = {
  all: 'listFeeds',
  hype: 'listHypeFeed',
  swipe: 'listSwipeFeed',
  jump: 'listJumpFeed',
} as const

/** Public works: of all categories or one, with a tag or any. */
export function feedQuery(
  of: keyof typeof FEEDS,
  { sort = 'latest', tag }: { sort?: Order | undefined; tag?: string | undefined } = {},
) {
  return byPages(['contents', 'lists', 'feed', of, sort, tag ?? null], (page, signal) =>
    plaza[FEEDS[of]]({ page, per_page: PER_PAGE, sort, ...(tag && { tag }) }, { signal }),
  )
}

export function creatorContentsQuery(handle: string) {
  return byPages(['contents', 'lists', 'creator', handle], (page, signal) =>
    plaza.listCreatorContents({ handle, page, per_page: PER_PAGE }, { signal }),
  )
}

/** Works to go on with after one. */
export function recommendationsQuery(id: string) {
  return queryOptions({
    queryKey: ['contents', 'recommendations', id],
    queryFn: async ({ signal }) => (await plaza.recommend({ id, limit: 12 }, { signal })).feeds,
  })
}
