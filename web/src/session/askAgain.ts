import type { Query, QueryClient } from '@tanstack/react-query'

/** Id of the last signed-in user in this tab, also after the session has ended. */
let last: string | undefined

export function noteViewer(id: string): void {
  last ??= id
}

/**
 * Refetches the page's data after a sign-in and removes all other cached data, except the viewer. After a change of
 * user, also discards the page's old data and pending mutations.
 */
export async function askAgain(queries: QueryClient, viewerId: string): Promise<void> {
  const predicate = ({ queryKey }: Query) => queryKey[0] !== 'viewer'
  queries.removeQueries({ type: 'inactive', predicate })
  const isSame = (last ?? viewerId) === viewerId
  last = viewerId
  if (isSame) return queries.invalidateQueries({ predicate })
  queries.getMutationCache().clear()
  await queries.resetQueries({ predicate })
}
