import {
  hashKey,
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Content, Feed as FeedPage } from '#sdk'
import { isReturn } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import { Entries, Fresh } from '../lists/Entries.tsx'
import { useIsSignedIn } from '../session/viewer.ts'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { Card } from './Card.tsx'
import styles from './contents.module.css'
import {
  type creatorContentsQuery,
  type Feed,
  type FeedOptions,
  feedQuery,
  newestQuery,
  type Order,
} from './queries.ts'
import { texts } from './texts.ts'

/**
 * Returns the order of a list. The default is `latest`, also for signed-out viewers who requested `following` or
 * `tags`.
 */
export function useOrder<T extends Order>(sort: T | undefined): T | 'latest' {
  const isSignedIn = useIsSignedIn()
  const isOwn = sort === 'following' || sort === 'tags'
  return sort === undefined || (isOwn && !isSignedIn) ? 'latest' : sort
}

interface SortTabsProps extends Pick<LinkProps, 'to' | 'params'> {
  /** Label of the first tab. Default: the word for the latest contents. */
  first?: string
  /** Orders for signed-in viewers only. */
  own?: readonly ('following' | 'tags')[]
}

export function SortTabs({ first, own = [], ...list }: SortTabsProps) {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const sorts = [undefined, 'popular', ...(isSignedIn ? own : [])] as const
  return (
    <Tabs label={t.sort}>
      {sorts.map((sort) => (
        <Tab key={sort ?? 'latest'} {...list} search={{ sort }}>
          {sort ? t[sort] : (first ?? t.latest)}
        </Tab>
      ))}
    </Tabs>
  )
}

interface NewContentsProps extends FeedOptions {
  target: Feed
}

export function NewContents({ target, ...options }: NewContentsProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { queryKey } = feedQuery(target, options)
  const { data, dataUpdatedAt } = useInfiniteQuery({
    ...feedQuery(target, options),
    enabled: false,
  })
  const begins = data?.pages[0]
  const { data: newest } = useQuery({
    ...newestQuery(target, options, begins?.feeds[0]?.id),
    enabled: begins !== undefined && options.sort !== 'popular',
    // Uses the list's first page as the first result, so that the first poll runs after one interval.
    initialData: begins,
    initialDataUpdatedAt: dataUpdatedAt,
  })
  if (!newest) return null
  const known = new Set(data?.pages.flatMap(({ feeds }) => feeds.map(({ id }) => id)))
  const reached = newest.feeds.findIndex(({ id }) => known.has(id))
  const count = reached < 0 ? newest.feeds.length : reached
  const isMany = reached < 0 && newest.pagination.has_next
  const show = () => queries.setQueryData(queryKey, { pages: [newest], pageParams: [1] })
  const label = isMany ? t.manyNew(count) : t.new(count)
  return <Fresh label={count > 0 ? label : undefined} show={show} />
}

export function NothingFollowed({ to }: { to: '/' | '/hype' | '/swipe' }) {
  const t = useTexts(texts)
  return (
    <Empty
      icon={<Users />}
      title={t.nothingFollowed}
      // On the home page, the list is below an h2.
      level={to === '/' ? 3 : 2}
      action={t.seePopular}
      link={{ to, search: { sort: 'popular' } }}
    >
      {t.followHelp}
    </Empty>
  )
}

const FRESH_MS = 30_000

/**
 * Returns the query of a list that fills a page. Opening the page by a link reloads a list that is invalidated or older
 * than 30 seconds. Back and Forward show the cached list.
 */
export function useContentList(list: ReturnType<typeof feedQuery | typeof creatorContentsQuery>) {
  const queries = useQueryClient()
  const { queryKey } = list
  const hash = hashKey(queryKey)
  const [come, setCome] = useState<string>()
  if (come !== hash) {
    setCome(hash)
    const state = queries.getQueryState(queryKey)
    const isOld = state && (state.isInvalidated || Date.now() - state.dataUpdatedAt > FRESH_MS)
    if (isOld && !isReturn()) queries.removeQueries({ queryKey, exact: true })
  }
  return useInfiniteQuery(list)
}

/** Number of pictures that load eagerly: two rows on a phone, or the first row of a wide window. */
const FIRST = 4

interface GridProps extends Omit<ComponentProps<typeof Card>, 'content' | 'isFirst'> {
  contents: readonly Content[]
  corner?: ((content: Content) => ReactNode) | undefined
}

export function Grid({ contents, corner, ...card }: GridProps) {
  return (
    <ul className={styles.grid}>
      {contents.map((content, index) => (
        <li key={content.id}>
          <Card content={content} isFirst={index < FIRST} {...card} />
          {corner && <div className={styles.cardCorner}>{corner(content)}</div>}
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
  query: UseInfiniteQueryResult<InfiniteData<FeedPage>>
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
