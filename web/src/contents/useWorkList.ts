import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isReturn } from '../device/history.ts'
import type { creatorContentsQuery, feedQuery } from './queries.ts'

/** Age from which a followed link reloads a cached list. */
const FRESH_MS = 30_000

/**
 * Returns the list of a whole page. Following a link to the page reloads a list that is older than 30 seconds.
 * Back shows the previous list with all loaded pages.
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
