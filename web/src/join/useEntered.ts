import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '#sdk'
import { askAgain } from '../session/askAgain.ts'
import { viewerQuery } from '../session/viewer.ts'

/** What follows when somebody has signed in: whatever is shown is asked for again, as theirs. */
export function useEntered(): (user: Account) => Promise<void> {
  const queries = useQueryClient()
  return async (user) => {
    queries.setQueryData(viewerQuery.queryKey, user)
    await askAgain(queries, user.id)
  }
}
