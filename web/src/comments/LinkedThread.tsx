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
  /** True when the URL contains a comment id, unless loading that comment has failed. */
  isWanted: boolean
  /** Undefined until it is loaded. Null when the comment does not exist. */
  data: Linked | null | undefined
}

/** Returns the comment whose id is in the URL's hash (`#cmt_…`). */
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

/**
 * Shows the thread of the linked comment above all others, so that it is visible without loading more pages.
 * Shows a message when the comment does not exist.
 */
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
