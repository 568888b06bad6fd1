import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Content } from '#sdk'
import { plaza } from '../session/plaza.ts'
import { contentKey } from './queries.ts'

const POLL_MS = 3000

export function conversionQuery(id: string) {
  return queryOptions({
    queryKey: ['contents', 'conversion', id],
    queryFn: async ({ signal }) =>
      (await plaza.contents.getConversion(id, {}, { signal })).conversion,
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'queued' || data?.status === 'processing' ? POLL_MS : false,
  })
}

/**
 * Returns the conversion of the viewer's own content, or undefined when there is none. When the conversion ends,
 * refetches the content, because its status has changed.
 */
export function useConversion({ id, type, status }: Pick<Content, 'id' | 'type' | 'status'>) {
  const queries = useQueryClient()
  const isConverted = type !== 'game' && type !== 'image' && status !== 'archived'
  const { data } = useQuery({ ...conversionQuery(id), enabled: isConverted })
  const isOver = data?.status === 'completed' || data?.status === 'failed'
  const isWaiting = status === 'processing'
  useEffect(() => {
    if (!isOver || !isWaiting) return
    void queries.invalidateQueries({ queryKey: contentKey(id) })
    void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
  }, [isOver, isWaiting, id, queries])
  return data
}
