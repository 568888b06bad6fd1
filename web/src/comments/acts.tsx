import {
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { EyeOff, Pin, PinOff } from 'lucide-react'
import { createContext } from 'react'
import { type Comment, newIdempotencyKey } from '#sdk'
import { likedOf } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useToggle } from '../session/toggle.ts'
import type { MenuItem } from '../ui/Dialog.tsx'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { addComment, changeComment, changeCount, commentsKey } from './queries.ts'
import { texts } from './texts.ts'

/** Id of the creator of the content that the comments belong to. Undefined until the content is loaded. */
export const CreatorId = createContext<string | undefined>(undefined)

export function useCommentLike(comment: Comment): () => void {
  const queries = useQueryClient()
  const { id } = comment
  return useToggle<Pick<Comment, 'is_liked' | 'like_count'>>({
    key: ['comment-like', id],
    isOn: comment.is_liked,
    stateOf: likedOf(comment),
    show: (state) => changeComment(queries, comment, state),
    set: (desired) => (desired ? plaza.comments.like(id) : plaza.comments.unlike(id)),
  })
}

/**
 * Adds `counted` to the comment count of a content item. Refetches the comments, because the server determines their
 * order and visibility.
 */
async function reload(queries: QueryClient, contentId: string, counted: -1 | 0 | 1): Promise<void> {
  changeCount(queries, contentId, counted)
  await queries.invalidateQueries({ queryKey: commentsKey(contentId) })
}

/** Returns the menu items of the content's author: pin or unpin for a top-level comment, and hide for every comment. */
export function useModeration(comment: Comment): MenuItem[] {
  const t = useTexts(texts)
  const words = useTexts(uiTexts)
  const queries = useQueryClient()
  const { id, content_id, is_pinned, parent_id } = comment
  const { mutate: unhide } = useUnhide(content_id)
  const { mutate } = useMutation({
    mutationFn: async (act: 'pin' | 'unpin' | 'hide') => {
      if (act === 'pin') await plaza.comments.pin(content_id, { comment_id: id })
      if (act === 'unpin') await plaza.comments.unpin(content_id)
      if (act === 'hide') await plaza.comments.hide(id)
      return act
    },
    onSuccess: (act) => {
      const undo = { label: words.undo, run: () => unhide(id) }
      toast(t.done[act], act === 'hide' ? { action: undo } : {})
      return reload(queries, content_id, act === 'hide' ? -1 : 0)
    },
    onError: (error) => toast(problemText(error, words), { isBad: true }),
  })
  const pin = is_pinned
    ? { label: t.unpin, icon: <PinOff />, onClick: () => mutate('unpin') }
    : { label: t.pin, icon: <Pin />, onClick: () => mutate('pin') }
  return [
    ...(parent_id === null ? [pin] : []),
    { label: t.hide, icon: <EyeOff />, onClick: () => mutate('hide') },
  ]
}

export function useUnhide(contentId: string) {
  const queries = useQueryClient()
  const words = useTexts(uiTexts)
  return useMutation({
    mutationFn: (id: string) => plaza.comments.unhide(id),
    onSuccess: () => reload(queries, contentId, 1),
    onError: (error) => toast(problemText(error, words), { isBad: true }),
  })
}

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
