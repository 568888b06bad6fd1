import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isReturn } from '../device/history.ts'
import type { creatorContentsQuery, feedQuery } from './queries.ts'

/** Data younger than this counts as fresh. */
const FRESH_MS = 30_000

/**
 * A list on a page of its own. A visit by link starts a fresh list. Back returns to the list as it was, with
 * all loaded pages.
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
