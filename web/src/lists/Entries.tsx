/** Lists that load their next page near the end, and the button that shows new entries. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { wantsCalm } from '../device/viewing.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import { texts } from '../ui/texts.ts'
import styles from './Entries.module.css'
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

export interface Growing {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => unknown
}

/** Loads the next page of a list when the end of the list is near. */
export function More({ query }: { query: Growing }) {
  const t = useTexts(texts)
  const ref = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const mayFetch = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    const { current } = ref
    if (!current || !mayFetch) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void fetchNextPage(),
      { rootMargin: '600px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [mayFetch, fetchNextPage])
  if (isFetchNextPageError) {
    return <Problem error={query.error} retry={() => void fetchNextPage()} />
  }
  if (!hasNextPage) return null
  return (
    <div ref={ref} className={styles.more}>
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? t.loading : t.more}
      </Button>
    </div>
  )
}

interface FreshProps {
  /** Button text. Undefined while there are no new entries. */
  label: string | undefined
  show: () => unknown
}

export function Fresh({ label, show }: FreshProps) {
  const go = async () => {
    await show()
    scrollTo({ top: 0, behavior: wantsCalm() ? 'instant' : 'smooth' })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <div className={styles.place} role="status">
      {label !== undefined && (
        <button type="button" className={styles.button} onClick={() => void go()}>
          <ArrowUp />
          {label}
        </button>
      )}
    </div>
  )
}
