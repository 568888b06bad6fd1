import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Content } from '#sdk'
import { contentQuery, feedQuery, type Order } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { entriesOf } from '../lists/paging.ts'
import { toast } from '../ui/toast.ts'
import { texts } from './texts.ts'

/** Number of remaining slides at which the next page loads. */
const AHEAD = 5

/**
 * Returns the contents of the feed. Without `wanted`, loads a new list. With the id `wanted`, uses the cached list and
 * adds that content item if it is missing.
 */
export function useContents(sort: Order, wanted: string | undefined) {
  const queries = useQueryClient()
  const options = feedQuery('swipe', { sort })
  useState(() => {
    if (!wanted) queries.removeQueries({ queryKey: options.queryKey, exact: true })
  })
  const feed = useInfiniteQuery({
    ...options,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const first = useFirst(feed.data?.pages, wanted)
  const { data } = feed
  const contents = useMemo(() => {
    const entries = entriesOf(data?.pages, ({ feeds }) => feeds)
    return first.content ? [first.content, ...entries.filter(({ id }) => id !== wanted)] : entries
  }, [data, first.content, wanted])
  return { contents, feed, isPending: feed.isPending || first.isPending }
}

/**
 * Loads the content item `wanted` if the first loaded pages lack it. Returns the item and whether it is loading. Shows
 * a notice if the item cannot be loaded or has another category.
 */
function useFirst(pages: readonly { feeds: Content[] }[] | undefined, wanted: string | undefined) {
  const t = useTexts(texts)
  const [isMissing, setIsMissing] = useState<boolean>()
  if (isMissing === undefined && pages) {
    setIsMissing(
      wanted !== undefined && !pages.some(({ feeds }) => feeds.some(({ id }) => id === wanted)),
    )
  }
  const { data, isError, isLoading } = useQuery({
    ...contentQuery(wanted ?? ''),
    enabled: isMissing === true,
    staleTime: Infinity,
  })
  const isGone = isError || (data !== undefined && data.category !== 'swipe')
  useEffect(() => {
    if (isGone) toast(t.gone)
  }, [isGone, t])
  return {
    content: isMissing && !isGone ? data : undefined,
    // `isLoading` is true even while only `useShown` requests the item, to count a view.
    isPending: isMissing === true && isLoading,
  }
}

export function useAhead(
  { feed, contents }: Pick<ReturnType<typeof useContents>, 'feed' | 'contents'>,
  index: number,
): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = feed
  const isNear = index >= contents.length - AHEAD
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isNear, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}
