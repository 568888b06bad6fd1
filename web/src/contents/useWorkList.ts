import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isReturn } from '../device/history.ts'
import type { creatorContentsQuery, feedQuery } from './queries.ts'

/** What was asked for so long ago at most is still as good as new. */
const FRESH_MS = 30_000

/**
 * A list of works to read on a page of its own. Who comes by a link gets it as it is now, from its
 * beginning; who comes back, the list they left, as far as they had read.
 */
export function useWorkList(list: ReturnType<typeof feedQuery | typeof creatorContentsQuery>) {
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
