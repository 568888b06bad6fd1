/**
 * Loaders of pages that include API responses. They read the responses before the first render, so that this render is
 * complete. Later they do nothing.
 */
import type { QueryClient } from '@tanstack/react-query'
import { contentQuery, creatorContentsQuery, feedQuery } from './contents/queries.ts'
import { creatorQuery, featuredQuery } from './creators/queries.ts'
import { whenConnected } from './device/connected.ts'
import { queryClient } from './query.ts'
import { hasInlined } from './session/inlined.ts'
import { plaza } from './session/plaza.ts'

/** Does nothing when no included response is left, or when the viewer is signed in. */
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
