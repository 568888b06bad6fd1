import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import styles from './LinkedThread.module.css'
import type { Linked } from './linked.ts'
import { linkedQuery } from './queries.ts'
import { CommentsSkeleton } from './Skeleton.tsx'
import { Thread } from './Thread.tsx'
import { texts } from './texts.ts'

interface State {
  /** Whether the address names a comment. */
  isWanted: boolean
  /** Null where it is not there any more. */
  data: Linked | null | undefined
}

/** The comment that the address leads to: `#cmt_…`. */
export function useLinked(contentId: string): State {
  const hash = useLocation({ select: (location) => location.hash })
  const isWanted = hash.startsWith('cmt_')
  const { data, isError } = useQuery({ ...linkedQuery(contentId, hash), enabled: isWanted })
  return { isWanted: isWanted && !isError, data: isWanted ? data : undefined }
}

interface Props {
  linked: State
  creatorId: string | undefined
}

/** Stands before the others, so that it is there however far down it belongs. */
export function LinkedThread({ linked: { isWanted, data }, creatorId }: Props) {
  const t = useTexts(texts)
  if (!isWanted) return null
  if (data === undefined) return <CommentsSkeleton count={1} />
  if (data === null) {
    return (
      <p className={styles.gone} role="status">
        {t.linkedGone}
      </p>
    )
  }
  return (
    <div className={styles.linked}>
      <p className={styles.label}>{t.linked}</p>
      <Thread key={data.path.join()} comment={data.root} creatorId={creatorId} path={data.path} />
    </div>
  )
}
