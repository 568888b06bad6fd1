import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '#sdk'
import { askAgain } from '../session/askAgain.ts'
import { viewerQuery } from '../session/viewer.ts'

/** Returns a function that stores the signed-in user and refetches everything on the page. */
export function useEntered(): (user: Account) => Promise<void> {
  const queries = useQueryClient()
  return async (user) => {
    queries.setQueryData(viewerQuery.queryKey, user)
    await askAgain(queries, user.id)
  }
}
