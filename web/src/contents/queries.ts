/**
 * Queries of contents, and actions on contents. Keys of lists begin with `['contents', 'lists']`, so that toggles can
 * update the lists.
 */
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Content, ContentDetail } from '#sdk'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import { useCopyLink } from '../ui/copying.ts'

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

const CONVERSION_POLL_MS = 3000

export function conversionQuery(id: string) {
  return queryOptions({
    queryKey: ['contents', 'conversion', id],
    queryFn: async ({ signal }) =>
      (await plaza.contents.getConversion(id, {}, { signal })).conversion,
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'queued' || data?.status === 'processing' ? CONVERSION_POLL_MS : false,
  })
}

/**
 * Returns the conversion of the viewer's own content, or undefined when there is none. When the conversion ends,
 * refetches the content, because its status has changed.
 */
export function useConversion({ id, type, status }: Pick<Content, 'id' | 'type' | 'status'>) {
  const queries = useQueryClient()
  const isConverted = type !== 'game' && type !== 'image' && status !== 'archived'
  const { data } = useQuery({ ...conversionQuery(id), enabled: isConverted })
  const isOver = data?.status === 'completed' || data?.status === 'failed'
  const isWaiting = status === 'processing'
  useEffect(() => {
    if (!isOver || !isWaiting) return
    void queries.invalidateQueries({ queryKey: contentKey(id) })
    void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
  }, [isOver, isWaiting, id, queries])
  return data
}

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
