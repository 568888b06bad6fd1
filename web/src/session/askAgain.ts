import type { Query, QueryClient } from '@tanstack/react-query'
import { replaceViewer } from './lastViewer.ts'

/**
 * Refetches all data of the page except the viewer after signing in, and removes all other cached data. If another
 * user was signed in before, also discards that user's data on the page and that user's pending mutations.
 */
export async function askAgain(queries: QueryClient, viewerId: string): Promise<void> {
  const predicate = ({ queryKey }: Query) => queryKey[0] !== 'viewer'
  queries.removeQueries({ type: 'inactive', predicate })
  if (!replaceViewer(viewerId)) return queries.invalidateQueries({ predicate })
  queries.getMutationCache().clear()
  await queries.resetQueries({ predicate })
}
