import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { More } from '../ui/More.tsx'
import { Problem } from '../ui/Problem.tsx'
import { entriesOf } from './paging.ts'

interface Props<Page, Entry> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  target: (page: Page) => readonly Entry[]
  skeleton: ReactNode
  empty: ReactNode
  children: (entries: Entry[]) => ReactNode
}

export function Entries<Page, Entry extends { id: string }>(props: Props<Page, Entry>) {
  const { query, target, skeleton, empty, children } = props
  if (query.isPending) return skeleton
  if (!query.data) return <Problem error={query.error} retry={() => void query.refetch()} />
  const entries = entriesOf(query.data.pages, target)
  if (entries.length === 0 && !query.hasNextPage) return empty
  return (
    <>
      {/* A page may have no entries, because the server omits entries that it hides from the viewer. */}
      {entries.length > 0 && children(entries)}
      <More query={query} />
    </>
  )
}
