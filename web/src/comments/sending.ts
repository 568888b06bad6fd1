/** Comments on their way: shown from the moment they are written, and kept where they were not taken. */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { newIdempotencyKey } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { addComment } from './kept.ts'
import { texts } from './texts.ts'

interface Written {
  /** The same for every attempt, so that it is written once. */
  key: string
  parentId: string | null
  body: string
}

export interface Sending extends Written {
  /** Null while it is on its way. */
  error: Error | null
  retry: () => void
  discard: () => void
}

function sendingKey(contentId: string) {
  return ['comments', contentId, 'sending'] as const
}

/** Gives what writes a comment on a work, or a reply. */
export function useSend(contentId: string): (parentId: string | null, body: string) => void {
  const queries = useQueryClient()
  const t = useTexts(texts)
  const { mutate } = useMutation({
    mutationKey: sendingKey(contentId),
    // What was not taken waits for its writer, however long.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: async ({ key, parentId, body }: Written) => {
      const { comment } = await plaza.createComment(
        { id: contentId, body, parent_id: parentId },
        { idempotencyKey: key },
      )
      return comment
    },
    onSuccess: (comment) => {
      addComment(queries, comment)
      toast(t.sent)
    },
  })
  return (parentId, body) => mutate({ key: newIdempotencyKey(), parentId, body })
}

/** What is on its way to one place of a work's comments. */
export function useSending(contentId: string, parentId: string | null): Sending[] {
  const cache = useQueryClient().getMutationCache()
  const all = useMutationState({
    filters: {
      mutationKey: sendingKey(contentId),
      predicate: ({ state }) =>
        state.status !== 'success' && (state.variables as Written).parentId === parentId,
    },
    select: (mutation): Sending => {
      const written = mutation.state.variables as Written
      return {
        ...written,
        error: mutation.state.error,
        // What went wrong again is shown again.
        retry: () => void mutation.execute(written).catch(() => {}),
        discard: () => cache.remove(mutation),
      }
    },
  })
  return all
}
