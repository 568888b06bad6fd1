import { queryOptions } from '@tanstack/react-query'
import { plaza } from '../session/plaza.ts'

const POLL_MS = 2000

/** Query of the job that generates a game's thumbnail. Polls while it runs. */
export function thumbnailJobQuery(id: string) {
  return queryOptions({
    queryKey: ['publish', 'thumbnail-job', id],
    queryFn: async ({ signal }) => (await plaza.games.getThumbnailJob(id, {}, { signal })).job,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'queued' || data?.status === 'processing' ? POLL_MS : false,
  })
}
