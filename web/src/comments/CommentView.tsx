import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Comment } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/asking.ts'
import { useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { LinkedText } from '../ui/LinkedText.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './CommentView.module.css'
import { Delete } from './Delete.tsx'
import { Edit } from './Edit.tsx'
import { texts } from './texts.ts'

interface Props {
  comment: Comment
  /** Comment to which this one replies. Undefined if the position in the list already shows that. */
  answered?: Comment | undefined
  /** Id of the content's author. */
  creatorId: string | undefined
  /** True when the URL's hash contains this comment's id. */
  isLinked: boolean
  onReply: () => void
}

/** Shows a comment as text, as an edit form, or as deleted. */
export function CommentView({ comment, answered, creatorId, isLinked, onReply }: Props) {
  const t = useTexts(texts)
  const [isEditing, setIsEditing] = useState(false)
  const { author } = comment
  return (
    <Frame comment={comment} isLinked={isLinked}>
      {author ? (
        <>
          <Head comment={comment} isCreator={author.id === creatorId} />
          {answered && (
            <p className={styles.answers}>
              {answered.author ? t.answers(answered.author.handle) : t.answersDeleted}
            </p>
          )}
          {isEditing ? (
            <Edit comment={comment} onClose={() => setIsEditing(false)} />
          ) : (
            <>
              <p className={styles.body}>
                <LinkedText text={comment.body} />
              </p>
              <Acts comment={comment} onReply={onReply} onEdit={() => setIsEditing(true)} />
            </>
          )}
        </>
      ) : (
        <p className={styles.deleted}>{t.deleted}</p>
      )}
    </Frame>
  )
}

interface FrameProps {
  comment: Comment
  isLinked: boolean
  children: ReactNode
}

function Frame({ comment: { id, author, parent_id }, isLinked, children }: FrameProps) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isLinked) return
    ref.current?.scrollIntoView({ block: 'center' })
    ref.current?.focus({ preventScroll: true })
  }, [isLinked])
  const size = parent_id === null ? 40 : 28
  return (
    <article
      ref={ref}
      id={id}
      tabIndex={-1}
      className={styles.comment}
      data-linked={isLinked || undefined}
    >
      {author ? (
        <Avatar person={author} size={size} />
      ) : (
        <span className={styles.nobody} style={{ width: size, height: size }} />
      )}
      <div className={styles.lines}>{children}</div>
    </article>
  )
}

function Head({ comment, isCreator }: { comment: Comment; isCreator: boolean }) {
  const t = useTexts(texts)
  const { id, content_id, author, created_at, updated_at } = comment
  if (!author) return null
  return (
    <header className={styles.head}>
      <Link
        to="/creators/$handle"
        params={{ handle: author.handle }}
        className={styles.name}
        title={`@${author.handle}`}
      >
        {author.display_name}
      </Link>
      {isCreator && <Badge tone="accent">{t.author}</Badge>}
      <Link
        to="/contents/$id"
        params={{ id: content_id }}
        hash={id}
        hashScrollIntoView={false}
        resetScroll={false}
        className={styles.time}
      >
        <Time at={created_at} />
        <span className="unseen">, {t.permalink}</span>
      </Link>
      {updated_at > created_at && <span className={styles.edited}>({t.edited})</span>}
    </header>
  )
}

interface ActsProps {
  comment: Comment
  onReply: () => void
  onEdit: () => void
}

function Acts({ comment, onReply, onEdit }: ActsProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const [isDeleting, setIsDeleting] = useState(false)
  const { author } = comment
  return (
    <div className={styles.acts}>
      <button
        type="button"
        aria-label={t.replyTo(author?.display_name ?? '')}
        onClick={() => asMember(onReply)}
      >
        {t.reply}
      </button>
      {author?.id === viewer?.id && (
        <>
          <button type="button" onClick={onEdit}>
            {t.edit}
          </button>
          <button type="button" onClick={() => setIsDeleting(true)}>
            {t.delete}
          </button>
          <Delete comment={comment} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
        </>
      )}
    </div>
  )
}
