import { useMutation } from '@tanstack/react-query'
import { defineTexts, useTexts } from '../language/texts.ts'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import styles from './creators.module.css'

export const collapsedTexts = defineTexts({
  comment: ['차단하거나 뮤트한 사람의 댓글이에요.', 'A comment by someone you blocked or muted.'],
  post: ['차단하거나 뮤트한 사람의 글이에요.', 'A post by someone you blocked or muted.'],
  show: ['보기', 'Show'],
})

interface Props {
  kind: 'comment' | 'post'
  onShow: () => Promise<void>
}

/** Placeholder for a comment or post by a user that the viewer blocked or muted. */
export function Collapsed({ kind, onShow }: Props) {
  const t = useTexts(collapsedTexts)
  const said = useTexts(uiTexts)
  const { mutate, isPending } = useMutation({
    mutationFn: onShow,
    onError: (error) => toast(problemText(error, said), { isBad: true }),
  })
  return (
    <p className={styles.collapsed}>
      {t[kind]}
      <button
        type="button"
        className={styles.show}
        aria-busy={isPending || undefined}
        onClick={() => !isPending && mutate()}
      >
        {t.show}
      </button>
    </p>
  )
}
