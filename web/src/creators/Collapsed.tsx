import { useMutation } from '@tanstack/react-query'
import { useTexts } from '../language/texts.ts'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import styles from './Blocks.module.css'
import { texts } from './blockTexts.ts'

interface Props {
  kind: 'collapsedComment' | 'collapsedPost'
  onShow: () => Promise<void>
}

/** Placeholder for a comment or post by a user that the viewer blocked or muted. */
export function Collapsed({ kind, onShow }: Props) {
  const t = useTexts(texts)
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
