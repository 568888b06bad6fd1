import { type InfiniteData, queryOptions } from '@tanstack/react-query'
import type { DataOf, Post } from '#sdk'
import { byCursor } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { FEED_KEY, threadKey } from './cache.ts'

/** Maximum length of a post, in characters. */
export const POST_MAX = 1000
/** Maximum number of new posts that a poll returns. */
export const NEWER_MAX = 100
/** Milliseconds between polls for new posts. */
const NEWER_POLL_MS = 20_000

export type FeedPages = InfiniteData<DataOf<'listPosts'>, string | undefined>
type ThreadPage = DataOf<'getThread'>
export type ThreadPages = InfiniteData<ThreadPage, string | undefined>

/**
 * Query of the timeline. It never refetches automatically, so that posts do not move while the user reads.
 * `newerQuery` finds new posts.
 */
export const feedQuery = {
  ...byCursor(FEED_KEY, (before, signal) =>
    plaza.posts.list({ ...(before && { before }) }, { signal }),
  ),
  staleTime: Number.POSITIVE_INFINITY,
}

export function newerQuery(after: string | null) {
  return queryOptions({
    queryKey: ['posts', 'newer', after],
    queryFn: ({ signal }) =>
      plaza.posts.list({ limit: NEWER_MAX, ...(after !== null && { after }) }, { signal }),
    refetchInterval: NEWER_POLL_MS,
    gcTime: 0,
  })
}

export function threadQuery(id: string) {
  return {
    ...byCursor(threadKey(id), (before, signal) =>
      plaza.posts.getThread(id, { ...(before && { before }) }, { signal }),
    ),
    throwOnError: (error: Error) => isMissing(error),
  }
}

/**
 * Returns placeholder data for a thread: only the post, from the cached timeline. Undefined if the timeline does
 * not contain the post.
 */
export function beginningOf(feed: FeedPages | undefined, id: string): ThreadPages | undefined {
  const post = feed?.pages.flatMap(({ posts }) => posts).find((cached: Post) => cached.id === id)
  return (
    post && {
      pages: [{ ancestors: [], has_more_ancestors: false, post, replies: [], next_cursor: null }],
      pageParams: [undefined],
    }
  )
}
