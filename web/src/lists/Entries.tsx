import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { More } from '../ui/More.tsx'
import { Problem } from '../ui/Problem.tsx'
import { entriesOf } from './paging.ts'

interface Props<Page, Entry> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** The entries of a page. */
  of: (page: Page) => readonly Entry[]
  /** Takes the room of the first page while that is on its way. */
  skeleton: ReactNode
  /** In place of an empty list. */
  empty: ReactNode
  children: (entries: Entry[]) => ReactNode
}

/** A list from its first page on, in every state that it may be in. */
export function Entries<Page, Entry extends { id: string }>(props: Props<Page, Entry>) {
  const { query, of, skeleton, empty, children } = props
  if (query.isPending) return skeleton
  if (!query.data) return <Problem error={query.error} retry={() => void query.refetch()} />
  const entries = entriesOf(query.data.pages, of)
  if (entries.length === 0) return empty
  return (
    <>
      {children(entries)}
      <More query={query} />
    </>
  )
}
