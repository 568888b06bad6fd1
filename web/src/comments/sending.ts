import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { newIdempotencyKey } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { addComment } from './cache.ts'
import { texts } from './texts.ts'

interface Written {
  /** Idempotency key. All attempts share it, so that the server creates the comment once. */
  key: string
  parentId: string | null
  body: string
}

export interface Sending extends Written {
  /** Error of the last attempt. Null while the request is in flight. */
  error: Error | null
  retry: () => void
  discard: () => void
}

function sendingKey(contentId: string) {
  return ['comments', contentId, 'sending'] as const
}

export function useSend(contentId: string): (parentId: string | null, body: string) => void {
  const queries = useQueryClient()
  const t = useTexts(texts)
  const { mutate } = useMutation({
    mutationKey: sendingKey(contentId),
    // A failed comment remains until its author retries or discards it.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: async ({ key, parentId, body }: Written) => {
      const { comment } = await plaza.comments.create(
        contentId,
        { body, parent_id: parentId },
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

export function useSending(contentId: string, parentId: string | null): Sending[] {
  const cache = useQueryClient().getMutationCache()
  return useMutationState({
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
        // Ignores the rejection, because the list shows the mutation's error.
        retry: () => void mutation.execute(written).catch(() => {}),
        discard: () => cache.remove(mutation),
      }
    },
  })
}
