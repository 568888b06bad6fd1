import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Account, InputOf } from '#sdk'
import { creatorKey } from '../creators/queries.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { toast } from '../ui/toast.ts'

type Change = InputOf<'updateMe'>

/** Updates the account and refetches all data that contains the user's name or avatar. */
export function useUpdate(said: string, after?: (user: Account) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => plaza.me.update(change),
    onSuccess: ({ user }) => {
      queries.setQueryData(viewerQuery.queryKey, user)
      void queries.invalidateQueries({ queryKey: creatorKey(user.handle) })
      for (const key of ['contents', 'posts', 'comments']) {
        void queries.invalidateQueries({ queryKey: [key] })
      }
      toast(said)
      after?.(user)
    },
  })
}
