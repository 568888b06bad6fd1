import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Account, Export, InputOf } from '#sdk'
import { creatorKey } from '../creators/queries.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { toast } from '../ui/toast.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => {
    const { sessions } = await plaza.sessions.list({}, { signal })
    return sessions.toSorted(
      (a, b) =>
        Number(b.is_current) - Number(a.is_current) || b.last_seen_at.localeCompare(a.last_seen_at),
    )
  },
  staleTime: 0,
})

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await plaza.secondFactor.listPasskeys({}, { signal })).passkeys,
  staleTime: 0,
})

const EXPORTING_MS = 2000

export function isUnfinished({ status }: Export): boolean {
  return status === 'queued' || status === 'processing'
}

export const exportsQuery = queryOptions({
  queryKey: ['account', 'exports'],
  queryFn: async ({ signal }) => (await plaza.me.listExports({}, { signal })).exports,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? EXPORTING_MS : false),
})

type Change = InputOf<'updateMe'>

/**
 * Returns a mutation that changes the account. On success it shows the notice `said` and calls `after`. It also
 * refetches the profile, and all contents, posts and comments, because they show the user's name and picture and depend
 * on the user's filters.
 */
export function useUpdate(
  said: string | ((user: Account) => string),
  after?: (user: Account) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => plaza.me.update(change),
    onSuccess: ({ user }) => {
      queries.setQueryData(viewerQuery.queryKey, user)
      void queries.invalidateQueries({ queryKey: creatorKey(user.handle) })
      for (const key of ['contents', 'posts', 'comments']) {
        void queries.invalidateQueries({ queryKey: [key] })
      }
      toast(typeof said === 'string' ? said : said(user))
      after?.(user)
    },
  })
}
