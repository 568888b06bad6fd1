import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Comment } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { entriesOf } from '../lists/paging.ts'
import { useDraft } from '../session/drafts.ts'
import { useViewer } from '../session/viewer.ts'
import { Button, Spinner } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Problem, useProblemText } from '../ui/Problem.tsx'
import { Avatar, LinkedText } from '../ui/User.tsx'
import { type Sending, useSend, useSending } from './acts.tsx'
import styles from './Comments.module.css'
import { CommentView } from './CommentView.tsx'
import { Composer } from './Composer.tsx'
import { repliesQuery } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  comment: Comment
  /**
   * Ids from the top-level comment down to the linked comment. Empty if this thread does not contain a linked comment.
   */
  path?: readonly string[]
}

export function Thread({ comment, path = [] }: Props) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(path.length > 1)
  const [isReplying, setIsReplying] = useState(false)
  const { reply_count } = comment
  return (
    <>
      <CommentView
        comment={comment}
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
            <ChevronDown />
            {t.replies(reply_count)}
          </button>
        )}
        {isOpen && <Replies parent={comment} path={path.slice(1)} />}
      </div>
    </>
  )
}

/** Maximum depth at which nested replies open automatically. */
const OPEN_DEPTH = 4

interface RepliesProps {
  parent: Comment
  path: readonly string[]
  depth?: number
}

function Replies({ parent, path, depth = 0 }: RepliesProps) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(repliesQuery(parent.content_id, parent.id))
  const sending = useSending(parent.content_id, parent.id)
  const replies = entriesOf(query.data?.pages, ({ comments }) => comments)
  useUntilThere(path[0], replies, query)
  return (
    <>
      {query.isPending && <CommentsSkeleton count={Math.min(parent.reply_count, 3)} isSmall />}
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      <ul className={styles.replies} aria-label={t.repliesOf}>
        {replies.map((reply) => (
          <Reply
            key={reply.id}
            reply={reply}
            answered={depth > 0 ? parent : undefined}
            path={path[0] === reply.id ? path : []}
            depth={depth}
          />
        ))}
        {sending.map((entry) => (
          <li key={entry.key}>
            <Outgoing sending={entry} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          size="small"
          look="plain"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t.moreReplies}
        </Button>
      )}
    </>
  )
}

interface ReplyProps extends Required<Omit<RepliesProps, 'parent'>> {
  reply: Comment
  answered: Comment | undefined
}

function Reply({ reply, answered, path, depth }: ReplyProps) {
  const t = useTexts(texts)
  const [isReplying, setIsReplying] = useState(false)
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH || path.length > 1)
  const isOnItsWay = useSending(reply.content_id, reply.id).length > 0
  return (
    <li className={styles.reply}>
      <CommentView
        comment={reply}
        answered={answered}
        isLinked={path.length === 1}
        onReply={() => setIsReplying(true)}
      />
      {isReplying && (
        <ReplyBox
          comment={reply}
          onClose={() => setIsReplying(false)}
          onSent={() => setIsOpen(true)}
        />
      )}
      {(reply.reply_count > 0 || isOnItsWay) &&
        (isOpen ? (
          <Replies parent={reply} path={path.slice(1)} depth={depth + 1} />
        ) : (
          <Button size="small" look="plain" onClick={() => setIsOpen(true)}>
            {t.replies(reply.reply_count)}
          </Button>
        ))}
    </li>
  )
}

interface ReplyBoxProps {
  comment: Comment
  onClose: () => void
  onSent: () => void
}

function ReplyBox({ comment, onClose, onSent }: ReplyBoxProps) {
  const t = useTexts(texts)
  const send = useSend(comment.content_id)
  const [text, change] = useDraft(`comment.${comment.id}`)
  const label = t.replyTo(comment.author?.display_name ?? '')
  return (
    <div className={styles.box}>
      <Composer
        label={label}
        placeholder={label}
        send={t.reply}
        text={text}
        onText={change}
        onCancel={onClose}
        onSend={(body) => {
          send(comment.id, body)
          change('')
          onClose()
          onSent()
          return true
        }}
      />
    </div>
  )
}

function useUntilThere(
  id: string | undefined,
  there: readonly Comment[],
  { hasNextPage, isFetching, isError, fetchNextPage }: UseInfiniteQueryResult,
): void {
  const isMissing = id !== undefined && !there.some((comment) => comment.id === id)
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetching, isError, fetchNextPage])
}

export function CommentsSkeleton({ count, isSmall }: { count: number; isSmall?: boolean }) {
  const t = useTexts(texts)
  const size = isSmall ? 28 : 40
  return (
    <Loading className={styles.bones} label={t.loading}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.write}>
          <Skeleton round width={size} height={size} />
          <div className={styles.skeletonLines}>
            <Skeleton width="30%" height="16px" />
            <Skeleton width="80%" height="20px" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

/** A comment that is being sent, or whose sending has failed. */
export function Outgoing({ sending }: { sending: Sending }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { body, error, retry, discard, parentId } = sending
  const problem = useProblemText(error)
  return (
    <div className={styles.comment}>
      {viewer && <Avatar user={viewer} size={parentId === null ? 40 : 28} />}
      <div className={styles.lines}>
        <p className={styles.outgoingName}>{viewer?.display_name}</p>
        <p className={styles.outgoingBody}>
          <LinkedText text={body} />
        </p>
        {error ? (
          <div className={styles.outgoingRow} role="alert">
            <span className={styles.problem}>
              {t.notSent} {problem}
            </span>
            <Button size="small" onClick={retry}>
              {t.retry}
            </Button>
            <Button size="small" look="plain" onClick={discard}>
              {t.discard}
            </Button>
          </div>
        ) : (
          <p className={styles.state} role="status">
            <Spinner /> {t.sending}
          </p>
        )}
      </div>
    </div>
  )
}
