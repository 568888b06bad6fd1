import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  CornerLeftUp,
  Ellipsis,
  Heart,
  Link as LinkIcon,
  MessageCircle,
  Trash2,
} from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Post as PostRecord, UserRef } from '#sdk'
import { Collapsed, collapsedTexts } from '../creators/Collapsed.tsx'
import { useUserItems } from '../creators/UserItems.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { IconButton } from '../ui/Button.tsx'
import { ConfirmRequest, Menu } from '../ui/Dialog.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar, LinkedText, UserLink } from '../ui/User.tsx'
import { useCopyLink } from '../ui/copying.ts'
import { toast } from '../ui/toast.ts'
import styles from './Community.module.css'
import { removePost } from './cache.ts'
import { isSending, useLikePost } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  post: PostRecord
  level?: 2 | 3
  isMain?: boolean | undefined
  /** True when the next post in the list replies to this one. A line then connects the two posts. */
  isAbove?: boolean | undefined
  onDeleted?: (() => void) | undefined
  /** Focuses the reply box. Undefined except on the main post. */
  onReply?: (() => void) | undefined
}

export function Post({ post, level = 2, isMain, isAbove, onDeleted, onReply }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { author } = post
  const isUnsent = isSending(post)
  const placed = { level, isMain, isAbove }
  if (post.is_filtered) return <Filtered post={post} {...placed} />
  if (!author) return <Gone post={post} {...placed} />
  return (
    <article
      className={lookOf(placed)}
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
        <Avatar user={author} size={isMain ? 48 : 40} />
      </Link>
      <div className={styles.content}>
        <Head post={post} author={author} level={level} isMain={isMain} />
        <p className={styles.body}>
          <LinkedText text={post.body} />
        </p>
        {isMain && (
          <p className={styles.mainTime}>
            <time dateTime={post.created_at}>{formats.dateTime(post.created_at)}</time>
          </p>
        )}
        {!isUnsent && <Foot post={post} onDeleted={onDeleted} onReply={onReply} />}
      </div>
    </article>
  )
}

type Placed = Pick<Props, 'level' | 'isMain' | 'isAbove'>

function lookOf({ isMain, isAbove }: Placed): string {
  return [styles.post, isMain && styles.main, isAbove && styles.above].filter(Boolean).join(' ')
}

interface PlaceholderProps extends Placed {
  title: string
  children: ReactNode
}

/** Placeholder for a post that is not shown. */
function Placeholder({ title, children, level = 2, ...placed }: PlaceholderProps) {
  const Heading = `h${level}` as const
  return (
    <article className={`${lookOf(placed)} ${styles.gone}`} aria-label={title}>
      <Heading className="unseen">{title}</Heading>
      <span className={styles.blank} aria-hidden="true" />
      <div className={styles.content}>{children}</div>
    </article>
  )
}

function Filtered({ post, ...placed }: Props) {
  const t = useTexts(collapsedTexts)
  const [shown, setShown] = useState<PostRecord>()
  if (shown) return <Post post={shown} {...placed} />
  return (
    <Placeholder title={t.post} {...placed}>
      <Collapsed kind="post" onShow={async () => setShown((await plaza.posts.get(post.id)).post)} />
    </Placeholder>
  )
}

function Gone({ post, ...placed }: Props) {
  const t = useTexts(texts)
  const { id, reply_count } = post
  return (
    <Placeholder title={t.deletedPost} {...placed}>
      {post.hidden_by === 'moderator' ? t.hidden : t.gone}
      {reply_count > 0 && (
        <Link to="/posts/$id" params={{ id }} className={styles.goneLink}>
          {t.replyCount(reply_count)}
        </Link>
      )}
    </Placeholder>
  )
}

interface HeadProps extends Pick<Props, 'post' | 'isMain'> {
  author: UserRef
  level: 2 | 3
}

function Head({ post, author, level, isMain }: HeadProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const Heading = `h${level}` as const
  return (
    <div className={styles.head}>
      <Heading className={styles.author}>
        <UserLink handle={author.handle} className={styles.name}>
          {author.display_name}
        </UserLink>
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
          <Time time={post.created_at} />
        </Link>
      )}
    </div>
  )
}

function Foot({ post, onDeleted, onReply }: Pick<Props, 'post' | 'onDeleted' | 'onReply'>) {
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
          <MessageCircle />
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
          <MessageCircle />
          {reply_count > 0 && formats.count(reply_count)}
        </Link>
      )}
      <IconButton
        icon={<Heart />}
        label={named(t.like, like_count)}
        pressed={is_liked}
        count={like_count > 0 ? formats.count(like_count) : ''}
        onClick={like}
      />
      {post.author && <PostMenu post={post} author={post.author} onDeleted={onDeleted} />}
    </div>
  )
}

interface PostMenuProps extends Pick<Props, 'post' | 'onDeleted'> {
  author: UserRef
}

function PostMenu({ post, author, onDeleted }: PostMenuProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const isOwn = viewer != null && viewer.id === author.id
  const authorMenu = useUserItems(author, { kind: 'post', id: post.id })
  const copyLink = useCopyLink()
  const url = `${location.origin}/posts/${post.id}`
  const remove = {
    label: t.delete,
    icon: <Trash2 />,
    isDangerous: true,
    onClick: () => setIsAsking(true),
  }
  return (
    <>
      <Menu
        groups={[
          [{ label: t.copyLink, icon: <LinkIcon />, onClick: () => void copyLink(url) }],
          isOwn ? [remove] : authorMenu.items,
        ]}
        onOpen={authorMenu.onOpen}
        trigger={<IconButton icon={<Ellipsis />} label={t.more} />}
      />
      {authorMenu.dialog}
      {isOwn && (
        <ConfirmRequest
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          title={t.deleteTitle}
          description={t.deleteHelp}
          act={t.delete}
          isDangerous
          request={() => deleteOnce('POST_NOT_FOUND', () => plaza.posts.delete(post.id))}
          onDone={() => {
            removePost(queries, post)
            onDeleted?.()
            toast(t.deleted)
          }}
        />
      )}
    </>
  )
}

export function PostsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Loading>
      <div className={styles.list}>
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className={styles.postsSkeletonPost}>
            <Skeleton width="40px" height="40px" round />
            <div className={styles.lines}>
              <Skeleton width="38%" height="20px" />
              <Skeleton width={index % 2 ? '72%' : '90%'} height="20px" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}

export type PostListProps = Pick<
  ComponentProps<typeof Entries<{ posts: PostRecord[] }, PostRecord>>,
  'query' | 'empty'
>

/** Posts and replies of one author, below a heading of level 2. Each reply links to the post to which it replies. */
export function PostList({ query, empty }: PostListProps) {
  const t = useTexts(texts)
  return (
    <div className={styles.column}>
      <Entries
        query={query}
        target={({ posts }) => posts}
        skeleton={<PostsSkeleton />}
        empty={empty}
      >
        {(posts) => (
          <ul className={styles.posts}>
            {posts.map((post) => (
              <li key={post.id}>
                {post.parent_id && (
                  <Link to="/posts/$id" params={{ id: post.parent_id }} className={styles.answered}>
                    <CornerLeftUp />
                    {t.answered}
                  </Link>
                )}
                <Post post={post} level={3} />
              </li>
            ))}
          </ul>
        )}
      </Entries>
    </div>
  )
}
