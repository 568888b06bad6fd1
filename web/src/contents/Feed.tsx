import { hashKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { isReturn } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import { Fresh } from '../lists/Entries.tsx'
import { useIsSignedIn } from '../session/viewer.ts'
import { Empty } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
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
