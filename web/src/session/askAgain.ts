import type { Query, QueryClient } from '@tanstack/react-query'
import { replaceViewer } from './lastViewer.ts'

/**
 * Refetches the page's data after a sign-in and removes all other cached data, except the viewer. After a change of
 * user, also discards the page's old data and pending mutations.
 */
export async function askAgain(queries: QueryClient, viewerId: string): Promise<void> {
  const predicate = ({ queryKey }: Query) => queryKey[0] !== 'viewer'
  queries.removeQueries({ type: 'inactive', predicate })
  if (!replaceViewer(viewerId)) return queries.invalidateQueries({ predicate })
  queries.getMutationCache().clear()
  await queries.resetQueries({ predicate })
}
