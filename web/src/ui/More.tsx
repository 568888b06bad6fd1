import { useEffect, useRef } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import styles from './Button.module.css'
import { Problem } from './Problem.tsx'
import { texts } from './texts.ts'

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
