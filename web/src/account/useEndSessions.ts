import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Session } from '#sdk'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { sessionsQuery } from './queries.ts'
import { texts } from './texts.ts'

/** Ends a session. Succeeds also when the session has already ended. */
async function end(id: string): Promise<void> {
  try {
    await plaza.sessions.revoke(id)
  } catch (error) {
    if (!isPlazaError(error, 'SESSION_NOT_FOUND')) throw error
  }
}

export function useEndSession() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: (_, id) => {
      queries.setQueryData<Session[]>(sessionsQuery.queryKey, (cached) =>
        cached?.filter((session) => session.id !== id),
      )
      toast(t.ended)
    },
    onError: () => toast(t.notEnded, { isBad: true }),
  })
}

/**
 * Returns a mutation that ends all other sessions, one after another. After a failure, earlier ones have
 * already ended.
 */
export function useEndOthers(after: () => void) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (ids: string[]) => {
      for (const id of ids) await end(id)
    },
    onSuccess: () => {
      toast(t.othersEnded)
      after()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
