import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart, Pin } from 'lucide-react'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { Comment } from '#sdk'
import { Collapsed } from '../creators/Collapsed.tsx'
import { UserMenu } from '../creators/FollowButton.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { asMember, useViewer } from '../session/viewer.ts'
import { Avatar, LinkedText, UserLink } from '../ui/User.tsx'
import { Badge } from '../ui/Badge.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { useProblemText } from '../ui/Problem.tsx'
import { Time } from '../ui/Time.tsx'
import { fieldErrorsOf } from '../ui/Field.tsx'
import { toast } from '../ui/toast.ts'
import { CreatorId, useCommentLike, useModeration } from './acts.tsx'
import styles from './Comments.module.css'
import { Composer } from './Composer.tsx'
import { changeComment, forgetComment, loadFiltered } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  comment: Comment
  /** Comment to which `comment` replies. Undefined if the nesting already shows which comment that is. */
  answered?: Comment | undefined
  isLinked: boolean
  onReply: () => void
}

export function CommentView(props: Props) {
  const { comment, isLinked } = props
  const [shown, setShown] = useState<Comment>()
  if (!comment.is_filtered) return <Visible {...props} />
  if (shown) return <Visible {...props} comment={shown} />
  return (
    <Frame comment={comment} isLinked={isLinked}>
      <Collapsed kind="comment" onShow={async () => setShown(await loadFiltered(comment))} />
    </Frame>
  )
}

function Visible({ comment, answered, isLinked, onReply }: Props) {
  const t = useTexts(texts)
  const [isEditing, setIsEditing] = useState(false)
  const { author } = comment
  return (
    <Frame comment={comment} isLinked={isLinked}>
      {author ? (
        <>
          <Head comment={comment} />
          {answered && (
            <p className="fine">
              {answered.author
                ? t.answers(answered.author.handle)
                : answered.is_filtered
                  ? t.answersFiltered
                  : t.answersDeleted}
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
        <p className={styles.deleted}>
          {comment.hidden_by === 'moderator'
            ? t.hidden
            : comment.hidden_by === 'creator'
              ? t.hiddenByCreator
              : t.deleted}
        </p>
      )}
    </Frame>
  )
}

interface FrameProps extends Pick<Props, 'comment' | 'isLinked'> {
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
        <Avatar user={author} size={size} />
      ) : (
        <span className={styles.nobody} style={{ width: size, height: size }} />
      )}
      <div className={styles.lines}>{children}</div>
    </article>
  )
}

function Head({ comment }: { comment: Comment }) {
  const t = useTexts(texts)
  const { id, content_id, author, created_at, updated_at } = comment
  const creatorId = useContext(CreatorId)
  if (!author) return null
  return (
    <header className={styles.commentViewHead}>
      <UserLink handle={author.handle} className={styles.name} title={`@${author.handle}`}>
        {author.display_name}
      </UserLink>
      {author.id === creatorId && <Badge tone="accent">{t.author}</Badge>}
      {comment.is_pinned && (
        <Badge>
          <Pin /> {t.pinned}
        </Badge>
      )}
      <Link
        to="/contents/$id"
        params={{ id: content_id }}
        hash={id}
        hashScrollIntoView={false}
        resetScroll={false}
        className={styles.time}
      >
        <Time time={created_at} />
        <span className="unseen">, {t.permalink}</span>
      </Link>
      {updated_at > created_at && <span className="fine">({t.edited})</span>}
    </header>
  )
}

interface ActsProps extends Pick<Props, 'comment' | 'onReply'> {
  onEdit: () => void
}

function Acts({ comment, onReply, onEdit }: ActsProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const queries = useQueryClient()
  const formats = useFormats()
  const like = useCommentLike(comment)
  const moderation = useModeration(comment)
  const isModerator = viewer?.id === useContext(CreatorId)
  const [isDeleting, setIsDeleting] = useState(false)
  const { author } = comment
  return (
    <div className={styles.acts}>
      <button
        type="button"
        className={styles.like}
        aria-label={t.likeComment(comment.like_count)}
        aria-pressed={comment.is_liked}
        onClick={like}
      >
        <Heart />
        {comment.like_count > 0 && formats.count(comment.like_count)}
      </button>
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
          <ConfirmRequest
            isOpen={isDeleting}
            onClose={() => setIsDeleting(false)}
            title={t.deleteTitle}
            description={comment.reply_count > 0 ? t.deleteWithReplies : t.deleteHelp}
            act={t.delete}
            isDangerous
            request={() => deleteOnce('COMMENT_NOT_FOUND', () => plaza.comments.delete(comment.id))}
            onDone={async () => {
              await forgetComment(queries, comment)
              toast(t.deletedNow)
            }}
          />
        </>
      )}
      {author && (
        <UserMenu
          user={author}
          subject={{ kind: 'comment', id: comment.id }}
          groups={isModerator ? [moderation] : []}
        />
      )}
    </div>
  )
}

function Edit({ comment, onClose }: { comment: Comment; onClose: () => void }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [text, setText] = useState(comment.body)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: string) => plaza.comments.update(comment.id, { body }),
    onSuccess: ({ comment: changed }) => {
      changeComment(queries, comment, changed)
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
