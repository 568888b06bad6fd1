import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../language/texts.ts'
import { Fresh } from '../lists/Fresh.tsx'
import { type Feed, type FeedOptions, feedQuery, newestQuery } from './queries.ts'
import { texts } from './texts.ts'

interface Props extends FeedOptions {
  target: Feed
}

/**
 * Button that shows the number of new items in a list. A click replaces the list with its newest page. Lists
 * sorted by popularity have no such button.
 */
export function NewContents({ target, ...options }: Props) {
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
    // Uses the list's first page as the first result, so that the first poll waits for one interval.
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
