import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Comment, isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Confirm } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { forgetComment } from './cache.ts'
import { texts } from './texts.ts'

interface Props {
  comment: Comment
  isOpen: boolean
  onClose: () => void
}

/** Dialog that asks for confirmation before deleting a comment. */
export function Delete({ comment, isOpen, onClose }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      try {
        await plaza.comments.delete(comment.id)
      } catch (failure) {
        // A comment that is already deleted counts as success.
        if (!isPlazaError(failure, 'COMMENT_NOT_FOUND')) throw failure
      }
    },
    onSuccess: async () => {
      await forgetComment(queries, comment)
      onClose()
      toast(t.deletedNow)
    },
  })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t.deleteTitle}
      description={comment.reply_count > 0 ? t.deleteWithReplies : t.deleteHelp}
      act={t.delete}
      isDangerous
      isBusy={isPending}
      error={error}
      onConfirm={mutate}
    />
  )
}
