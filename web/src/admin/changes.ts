/** Updates a user, then refetches the user, the audit log and the member list. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type InputOf, isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { auditQuery, userQuery } from './queries.ts'
import { texts } from './texts.ts'

export function useUserChange(id: string, told: string, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: InputOf<'updateUser'>) => plaza.users.update(id, change),
    onSuccess: ({ user }) => {
      queries.setQueryData(userQuery(id).queryKey, (cached) => cached && { ...cached, ...user })
      // A suspension ends sessions, and these are part of the activity counts.
      void queries.invalidateQueries({ queryKey: userQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: auditQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: ['admin', 'members'] })
      toast(told)
      onDone()
    },
  })
}

/** Explains why the server rejected a change that the page offered. Returns undefined for other errors. */
export function useRefusal(error: unknown): string | undefined {
  const t = useTexts(texts)
  if (isPlazaError(error, 'LAST_ADMIN')) return t.lastAdmin
  if (isPlazaError(error, 'SELF_ACTION_FORBIDDEN')) return t.selfAction
  return undefined
}
