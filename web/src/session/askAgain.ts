import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Asks again for whatever is shown, as somebody who signed in now. What was shown before in this tab may
 * have been somebody else's, whose session had ended: it is forgotten.
 */
export async function askAgain(queries: QueryClient): Promise<void> {
  const predicate = ({ queryKey }: Query) => queryKey[0] !== 'viewer'
  queries.removeQueries({ type: 'inactive', predicate })
  await queries.invalidateQueries({ predicate })
}
