import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Pagination } from '#sdk'

export type Key = readonly [string, ...unknown[]]

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

/** Query of a list with cursors. `fetch` receives the cursor `before`, which is undefined for the first page. */
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

/** Returns the entries of all pages without duplicates. An entry occurs twice if it moves between requests. */
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
