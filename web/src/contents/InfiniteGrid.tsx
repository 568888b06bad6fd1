import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { Feed } from '#sdk'
import { Entries } from '../lists/Entries.tsx'
import { Grid, GridSkeleton } from './Grid.tsx'

interface Props extends Omit<ComponentProps<typeof Grid>, 'contents'> {
  query: UseInfiniteQueryResult<InfiniteData<Feed>>
  /** Shown when the list is empty. */
  empty: ReactNode
}

/** Grid that loads more pages as the user scrolls. */
export function InfiniteGrid({ query, empty, ...grid }: Props) {
  return (
    <Entries query={query} target={({ feeds }) => feeds} skeleton={<GridSkeleton />} empty={empty}>
      {(contents) => <Grid contents={contents} {...grid} />}
    </Entries>
  )
}
