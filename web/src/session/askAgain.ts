import type { Query, QueryClient } from '@tanstack/react-query'
import { isAnother } from './lastViewer.ts'

/**
 * Asks again for whatever is shown, as somebody who signed in now. What was shown before in this tab may
 * have been somebody else's, whose session had ended: then all of it is forgotten at once, and what they
 * had not sent yet too.
 */
export async function askAgain(queries: QueryClient, viewerId: string): Promise<void> {
  const predicate = ({ queryKey }: Query) => queryKey[0] !== 'viewer'
  queries.removeQueries({ type: 'inactive', predicate })
  if (!isAnother(viewerId)) return queries.invalidateQueries({ predicate })
  queries.getMutationCache().clear()
  await queries.resetQueries({ predicate })
}
