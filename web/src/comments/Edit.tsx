import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Comment } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { fieldErrorsOf } from '../ui/fieldErrors.ts'
import { useProblemText } from '../ui/Problem.tsx'
import { Composer } from './Composer.tsx'
import { replaceComment } from './cache.ts'
import { texts } from './texts.ts'

/** Form that edits the viewer's own comment. */
export function Edit({ comment, onClose }: { comment: Comment; onClose: () => void }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [text, setText] = useState(comment.body)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: string) => plaza.comments.update(comment.id, { body }),
    onSuccess: ({ comment: changed }) => {
      replaceComment(queries, changed)
      onClose()
    },
  })
  const problem = useProblemText(error)
  return (
    <Composer
      label={t.editing}
      send={t.save}
      text={text}
      onText={setText}
      busy={isPending}
      error={error ? (fieldErrorsOf(error)['body'] ?? problem) : undefined}
      onCancel={onClose}
      onSend={(body) => {
        if (body === comment.body) onClose()
        else mutate(body)
        return false
      }}
    />
  )
}
