/** The cache of queries and mutations, and the first data of pages that include API responses. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isPlazaError } from '#sdk'
import { currentLanguage } from './language/look.ts'
import { hasInlined, plaza } from './session/plaza.ts'
import { viewerQuery } from './session/viewer.ts'
import { texts } from './shell/texts.ts'
import { toast } from './ui/toast.ts'
import { contentQuery, creatorContentsQuery, feedQuery } from './contents/queries.ts'
import { creatorQuery, featuredQuery } from './creators/queries.ts'
import { whenConnected } from './device/connected.ts'

const FRESH_MS = 30_000

/** Does not retry requests, because the SDK retries them. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS, gcTime: 30 * 60_000 },
    // Discards the results of mutations when their page closes, because some results are secrets.
    mutations: { retry: false, gcTime: 0 },
  },
})

function noticeEnd(error: Error): void {
  if (!isPlazaError(error, 'UNAUTHORIZED')) return
  queryClient.removeQueries({ queryKey: viewerQuery.queryKey })
  if (!plaza.session) {
    toast(texts[currentLanguage()].sessionEnded, { isBad: true, isCause: true })
  }
}

/**
 * Reads included responses into the cache before the first render, so that this render is complete. Does nothing when no
 * included response is left, or when the viewer is signed in.
 */
async function readInlined(read: (queries: QueryClient) => Promise<void>): Promise<void> {
  if (hasInlined() && !plaza.session) await read(queryClient)
}

export function loadHome(): Promise<void> {
  return readInlined((queries) =>
    queries.prefetchInfiniteQuery(feedQuery('all', { sort: 'popular' })),
  )
}

/** Also loads the code for the media of the content item. */
export function loadContent(id: string): Promise<void> {
  return readInlined(async (queries) => {
    const query = contentQuery(id)
    await queries.prefetchQuery(query)
    const content = queries.getQueryData(query.queryKey)
    const { preloadContent } = await whenConnected(() => import('./content/Content.tsx'))
    if (content) await preloadContent(content)
  })
}

export async function loadCreator(handle: string): Promise<void> {
  await readInlined((queries) => queries.prefetchQuery(creatorQuery(handle)))
  // The queries of lists have the stored handle, in lower case.
  const stored = handle.toLowerCase()
  await readInlined((queries) => queries.prefetchInfiniteQuery(creatorContentsQuery(stored)))
  await readInlined((queries) => queries.prefetchQuery(featuredQuery(stored)))
}
