import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { Comment } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { CommentView } from './CommentView.tsx'
import { Replies, ReplyBox } from './Replies.tsx'
import styles from './Thread.module.css'
import { texts } from './texts.ts'

interface Props {
  comment: Comment
  creatorId: string | undefined
  /** Ids from the top-level comment down to the linked comment, if this thread contains it. */
  path?: readonly string[]
}

/**
 * Top-level comment. A button opens its replies. They are open from the start if they contain the linked
 * comment.
 */
export function Thread({ comment, creatorId, path = [] }: Props) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(path.length > 1)
  const [isReplying, setIsReplying] = useState(false)
  const { reply_count } = comment
  return (
    <>
      <CommentView
        comment={comment}
        creatorId={creatorId}
        isLinked={path.length === 1}
        onReply={() => setIsReplying(true)}
      />
      <div className={styles.below}>
        {isReplying && (
          <ReplyBox
            comment={comment}
            onClose={() => setIsReplying(false)}
            onSent={() => setIsOpen(true)}
          />
        )}
        {reply_count > 0 && (
          <button
            type="button"
            className={styles.opener}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChevronDown aria-hidden="true" />
            {t.replies(reply_count)}
          </button>
        )}
        {isOpen && <Replies parent={comment} creatorId={creatorId} path={path.slice(1)} />}
      </div>
    </>
  )
}
