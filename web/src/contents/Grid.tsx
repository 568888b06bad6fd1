import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { Content, Feed } from '#sdk'
import { Entries } from '../lists/Entries.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Card } from './Card.tsx'
import styles from './Grid.module.css'

/** Number of pictures that load eagerly: two rows on a phone, or the first row of a wide window. */
const FIRST = 4

interface Props extends Omit<ComponentProps<typeof Card>, 'content' | 'isFirst'> {
  contents: readonly Content[]
  corner?: ((content: Content) => ReactNode) | undefined
}

export function Grid({ contents, corner, ...card }: Props) {
  return (
    <ul className={styles.grid}>
      {contents.map((content, index) => (
        <li key={content.id}>
          <Card content={content} isFirst={index < FIRST} {...card} />
          {corner && <div className={styles.corner}>{corner(content)}</div>}
        </li>
      ))}
    </ul>
  )
}

export function GridSkeleton({ count = 12 }: { count?: number }) {
  return (
    <Loading>
      <div className={styles.grid}>
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className={styles.bones}>
            <Skeleton ratio="16 / 9" />
            <Skeleton width="85%" height="20px" />
            <Skeleton width="55%" height="16px" />
            <Skeleton width="70%" height="13px" />
          </div>
        ))}
      </div>
    </Loading>
  )
}

interface InfiniteGridProps extends Omit<ComponentProps<typeof Grid>, 'contents'> {
  query: UseInfiniteQueryResult<InfiniteData<Feed>>
  empty: ReactNode
  /** Id of the content item that the grid omits, because the page shows the item elsewhere. */
  without?: string | undefined
}

export function InfiniteGrid({ query, empty, without, ...grid }: InfiniteGridProps) {
  return (
    <Entries
      query={query}
      target={({ feeds }) => feeds.filter(({ id }) => id !== without)}
      skeleton={<GridSkeleton />}
      empty={empty}
    >
      {(contents) => <Grid contents={contents} {...grid} />}
    </Entries>
  )
}
