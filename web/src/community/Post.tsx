import { Link } from '@tanstack/react-router'
import { Heart, MessageCircle } from 'lucide-react'
import type { Post as PostRecord, UserRef } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LinkedText } from '../ui/LinkedText.tsx'
import { Time } from '../ui/Time.tsx'
import { isSending, useLikePost } from './acts.ts'
import styles from './Post.module.css'
import { PostMenu } from './PostMenu.tsx'
import { texts } from './texts.ts'

interface Props {
  post: PostRecord
  /** Heading level. */
  level?: 2 | 3
  /** True for the post of the current page. It is larger and does not link to itself. */
  isMain?: boolean
  /** True when the next post in the list replies to this one. A line connects both. */
  isAbove?: boolean
  onDeleted?: () => void
  /** Focuses the reply box. Undefined except on the main post. */
  onReply?: () => void
}

export function Post({ post, level = 2, isMain, isAbove, onDeleted, onReply }: Props) {
  const t = useTexts(texts)
  const { author } = post
  const isUnsent = isSending(post)
  const look = [styles.post, isMain && styles.main, isAbove && styles.above]
  if (!author) {
    return <Gone post={post} level={level} className={look.filter(Boolean).join(' ')} />
  }
  return (
    <article
      className={look.filter(Boolean).join(' ')}
      aria-label={t.postBy(author.display_name)}
      aria-busy={isUnsent || undefined}
    >
      <Link
        to="/creators/$handle"
        params={{ handle: author.handle }}
        className={styles.avatar}
        tabIndex={-1}
        aria-hidden="true"
      >
        <Avatar person={author} size={isMain ? 48 : 40} />
      </Link>
      <div className={styles.content}>
        <Head post={post} author={author} level={level} isMain={isMain} />
        <p className={styles.body}>
          <LinkedText text={post.body} />
        </p>
        {isMain && <MainTime at={post.created_at} />}
        {!isUnsent && <Foot post={post} onDeleted={onDeleted} onReply={onReply} />}
      </div>
    </article>
  )
}

interface FootProps {
  post: PostRecord
  onDeleted: (() => void) | undefined
  onReply: (() => void) | undefined
}

interface HeadProps {
  post: PostRecord
  author: UserRef
  level: 2 | 3
  isMain: boolean | undefined
}

function Head({ post, author, level, isMain }: HeadProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const Heading = `h${level}` as const
  return (
    <div className={styles.head}>
      <Heading className={styles.author}>
        <Link to="/creators/$handle" params={{ handle: author.handle }} className={styles.name}>
          {author.display_name}
        </Link>
      </Heading>
      <span className={styles.handle}>@{author.handle}</span>
      {isSending(post) && <span className={styles.time}>{t.sending}</span>}
      {!isMain && !isSending(post) && (
        <Link
          to="/posts/$id"
          params={{ id: post.id }}
          className={`${styles.time} ${styles.cover}`}
          aria-label={t.permalink(author.display_name, formats.ago(post.created_at))}
        >
          <Time at={post.created_at} />
        </Link>
      )}
    </div>
  )
}

function MainTime({ at }: { at: string }) {
  const formats = useFormats()
  return (
    <p className={styles.mainTime}>
      <time dateTime={at}>{formats.dateTime(at)}</time>
    </p>
  )
}

function Foot({ post, onDeleted, onReply }: FootProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const like = useLikePost(post)
  const { id, reply_count, like_count, is_liked } = post
  const named = (name: string, count: number) =>
    count > 0 ? `${name}, ${formats.count(count)}` : name
  return (
    <div className={styles.foot}>
      {onReply ? (
        <button type="button" className={styles.reply} onClick={onReply}>
          <MessageCircle aria-hidden="true" />
          {t.replyCount(reply_count)}
        </button>
      ) : (
        <Link
          to="/posts/$id"
          params={{ id }}
          className={styles.reply}
          aria-label={named(t.reply, reply_count)}
          title={t.reply}
        >
          <MessageCircle aria-hidden="true" />
          {reply_count > 0 && formats.count(reply_count)}
        </Link>
      )}
      <IconButton
        icon={<Heart aria-hidden="true" />}
        label={named(t.like, like_count)}
        pressed={is_liked}
        count={like_count > 0 ? formats.count(like_count) : ''}
        onClick={like}
      />
      <PostMenu post={post} onDeleted={onDeleted} />
    </div>
  )
}

interface GoneProps {
  post: PostRecord
  level: 2 | 3
  className: string
}

/** Placeholder for a deleted post that still has replies. */
function Gone({ post, level, className }: GoneProps) {
  const t = useTexts(texts)
  const Heading = `h${level}` as const
  const { id, reply_count } = post
  return (
    <article className={`${className} ${styles.gone}`} aria-label={t.deletedPost}>
      <Heading className="unseen">{t.deletedPost}</Heading>
      <span className={styles.blank} aria-hidden="true" />
      <p className={styles.content}>
        {t.gone}
        {reply_count > 0 && (
          <Link to="/posts/$id" params={{ id }} className={styles.goneLink}>
            {t.replyCount(reply_count)}
          </Link>
        )}
      </p>
    </article>
  )
}
