import type { Query, QueryClient } from '@tanstack/react-query'
import { replaceViewer } from './lastViewer.ts'

/**
 * Refetches all data of the page after signing in. If another user was signed in before, first removes that
 * user's cached data and pending requests.
 */
export async function askAgain(queries: QueryClient, viewerId: string): Promise<void> {
  const predicate = ({ queryKey }: Query) => queryKey[0] !== 'viewer'
  queries.removeQueries({ type: 'inactive', predicate })
  if (!replaceViewer(viewerId)) return queries.invalidateQueries({ predicate })
  queries.getMutationCache().clear()
  await queries.resetQueries({ predicate })
}
