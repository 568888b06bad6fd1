import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Creator, UserRef } from '#sdk'
import { creatorKey } from './queries.ts'
import { useTexts } from '../language/texts.ts'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { texts } from './blockTexts.ts'

export type FilterKind = 'block' | 'mute'
type FilterAct = FilterKind | 'unblock' | 'unmute'

const LISTS = { block: 'listBlocks', mute: 'listMutes' } as const

export function filteredQuery(kind: FilterKind) {
  return byPages(['filtered', kind], (page, signal) =>
    plaza.me[LISTS[kind]]({ page, per_page: 30 }, { signal }),
  )
}

/**
 * Returns a mutation that blocks, unblocks, mutes or unmutes a user. It refetches all data except the viewer's
 * account, because most lists depend on blocks and mutes.
 */
export function useFilter({ handle, display_name }: UserRef, onDone?: () => void) {
  const queries = useQueryClient()
  const t = useTexts(texts)
  const said = useTexts(uiTexts)
  const mutation: UseMutationResult<Partial<Creator>, Error, FilterAct> = useMutation({
    mutationFn: async (act: FilterAct): Promise<Partial<Creator>> => plaza.creators[act](handle),
    onSuccess: (result, act) => {
      queries.setQueryData<Creator>(
        creatorKey(handle),
        (cached) => cached && { ...cached, ...result },
      )
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== viewerQuery.queryKey[0],
      })
      // Offers Undo only for muting, because unblocking would not restore the follows that the block removed.
      const undo = { label: said.undo, run: () => mutation.mutate('unmute') }
      toast(t.done[act](display_name), act === 'mute' ? { action: undo } : {})
      onDone?.()
    },
    onError: (error, act) => {
      if (act !== 'block') toast(said.undoneSince(problemText(error, said)), { isBad: true })
    },
  })
  return mutation
}
