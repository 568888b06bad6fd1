/** Lists that go on, as `useInfiniteQuery` takes them: by pages, or from the last entry on. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Pagination } from '#sdk'

type Key = readonly [string, ...unknown[]]

/** `fetch` gets the number of the page. */
export function byPages<D extends { pagination: Pagination }>(
  queryKey: Key,
  fetch: (page: number, signal: AbortSignal) => Promise<D>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetch(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_next ? pagination.page + 1 : undefined),
  })
}

/** `fetch` gets what to send as `before`: nothing for the first. */
export function byCursor<D extends { next_cursor: string | null }>(
  queryKey: Key,
  fetch: (before: string | undefined, signal: AbortSignal) => Promise<D>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetch(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

/** Entries of pages one after the other. What moved to a later page meanwhile is there once. */
export function entriesOf<D, E extends { id: string }>(
  pages: readonly D[] | undefined,
  entries: (page: D) => readonly E[],
): E[] {
  const seen = new Map<string, E>()
  for (const page of pages ?? []) {
    for (const entry of entries(page)) if (!seen.has(entry.id)) seen.set(entry.id, entry)
  }
  return [...seen.values()]
}
