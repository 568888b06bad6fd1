/** Queries of contents. Keys of lists begin with `['contents', 'lists']`, so that toggles can update the lists. */
import { type Query, queryOptions } from '@tanstack/react-query'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'

const PER_PAGE = 24
const NEWEST_POLL_MS = 60_000

/** True when a query has no data, or when an action of the viewer has invalidated the data. */
const isWanting = ({ state }: Pick<Query, 'state'>) =>
  state.data === undefined || state.isInvalidated

/** Refetches a list automatically only when it has no valid data, so that contents do not move while the user reads. */
const AT_REST = {
  refetchOnMount: isWanting,
  refetchOnWindowFocus: isWanting,
  refetchOnReconnect: isWanting,
}

export function contentKey(id: string) {
  return ['contents', 'one', id] as const
}

export function contentQuery(id: string) {
  return queryOptions({
    queryKey: contentKey(id),
    queryFn: async ({ signal }) => (await plaza.contents.get(id, {}, { signal })).content,
  })
}

export type Order = 'latest' | 'popular' | 'following' | 'tags'
export const TYPES = ['video', 'image', 'audio', 'article', 'game'] as const
export type ContentType = (typeof TYPES)[number]
const FEEDS = {
  all: 'list',
  hype: 'listHype',
  swipe: 'listSwipe',
  jump: 'listJump',
} as const
export type Feed = keyof typeof FEEDS
export interface FeedOptions {
  sort?: Order | undefined
  tag?: string | undefined
}

const readFeed =
  (target: Feed, { sort = 'latest', tag }: FeedOptions) =>
  (page: number, signal: AbortSignal) =>
    plaza.feeds[FEEDS[target]]({ page, per_page: PER_PAGE, sort, ...(tag && { tag }) }, { signal })

export function feedQuery(target: Feed, options: FeedOptions = {}) {
  const { sort = 'latest', tag = null } = options
  return {
    ...byPages(['contents', 'lists', 'feed', target, sort, tag], readFeed(target, options)),
    ...AT_REST,
  }
}

/** Filter that matches the queries of all feeds in the order `sort`. */
export function feedsBy(sort: Order) {
  return {
    queryKey: ['contents', 'lists', 'feed'],
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[4] === sort,
  }
}

export function newestQuery(target: Feed, options: FeedOptions, first: string | undefined) {
  const { sort = 'latest', tag = null } = options
  return queryOptions({
    queryKey: ['contents', 'newest', target, sort, tag, first ?? null],
    queryFn: ({ signal }) => readFeed(target, options)(1, signal),
    refetchInterval: NEWEST_POLL_MS,
    gcTime: 0,
  })
}

interface CreatorListOptions {
  type?: ContentType | undefined
  sort?: 'popular' | undefined
}

export function creatorContentsQuery(handle: string, { type, sort }: CreatorListOptions = {}) {
  const filters = { ...(type && { type }), ...(sort && { sort }) }
  return {
    ...byPages(
      ['contents', 'lists', 'creator', handle, type ?? null, sort ?? null],
      (page, signal) =>
        plaza.creators.listContents(handle, { page, per_page: PER_PAGE, ...filters }, { signal }),
    ),
    ...AT_REST,
  }
}

export function recommendationsQuery(id: string) {
  return queryOptions({
    queryKey: ['contents', 'recommendations', id],
    queryFn: async ({ signal }) =>
      (await plaza.contents.listRecommendations(id, { limit: 12 }, { signal })).feeds,
  })
}
