import { Bookmark, Ellipsis, Heart, MessageCircle, Share2, X } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { Content } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { useBookmark, useLike, useShare } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { useUserItems } from '../creators/UserItems.tsx'
import { texts as blockTexts } from '../creators/blocks.ts'
import { lazyPart } from '../device/connected.ts'
import { useBackCloses } from '../device/history.ts'
import { useMatches } from '../device/viewing.ts'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { Dialog, Menu } from '../ui/Dialog.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import styles from './Swipe.module.css'
import { usesLetters } from './slides.ts'
import { texts } from './texts.ts'

interface Props {
  content: Content
  distance: number
  isCommenting: boolean
  onComment: () => void
}

export function Actions({ content, distance, isCommenting, onComment }: Props) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const like = useLike(content)
  const bookmark = useBookmark(content)
  const share = useShare()
  useKeys((key, isHeld) => {
    if (distance !== 0 || key !== 'l' || !usesLetters()) return false
    if (!isHeld) like()
    return true
  })
  const { like_count, bookmark_count, comment_count, is_liked, is_bookmarked } = content
  return (
    <div className={styles.actions}>
      <Action
        icon={<Heart />}
        label={`${words.like}, ${formats.number(like_count)}`}
        count={formats.count(like_count)}
        isPressed={is_liked}
        onClick={like}
      />
      <Action
        icon={<MessageCircle />}
        label={t.comments(formats.number(comment_count))}
        count={formats.count(comment_count)}
        isExpanded={isCommenting}
        onClick={onComment}
      />
      <Action
        icon={<Bookmark />}
        label={`${words.bookmark}, ${formats.number(bookmark_count)}`}
        count={formats.count(bookmark_count)}
        isPressed={is_bookmarked}
        onClick={bookmark}
      />
      <Action
        icon={<Share2 />}
        label={t.share}
        count={t.share}
        onClick={() => void share(content)}
      />
      <CreatorMenu content={content} />
    </div>
  )
}

function CreatorMenu({ content: { id, creator } }: { content: Content }) {
  const t = useTexts(blockTexts)
  const { items, dialog, onOpen } = useUserItems(creator, { kind: 'content', id })
  if (items.length === 0) return null
  return (
    <>
      <Menu
        side="top"
        groups={[items]}
        onOpen={onOpen}
        trigger={
          <button type="button" className={styles.action} aria-label={t.more} title={t.more}>
            <span className={styles.round}>
              <Ellipsis />
            </span>
          </button>
        }
      />
      {dialog}
    </>
  )
}

interface ActionProps {
  icon: ReactNode
  label: string
  count: string
  isPressed?: boolean
  isExpanded?: boolean
  onClick: () => void
}

function Action({ icon, label, count, isPressed, isExpanded, onClick }: ActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      aria-label={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      title={label}
      onClick={onClick}
    >
      <span className={styles.round}>{icon}</span>
      <span className={styles.count} aria-hidden="true">
        {count}
      </span>
    </button>
  )
}

/** Media query for windows in which the comments fit beside the slide. */
const WIDE = '(min-width: 1024px)'
const Comments = lazyPart(() => import('../comments/Comments.tsx'), 'Comments')

export function CommentsPanel({ content, onClose }: { content: Content; onClose: () => void }) {
  const isWide = useMatches(WIDE)
  const bones = (
    <Loading className={styles.bones}>
      {[80, 64, 72].map((width) => (
        <Skeleton key={width} width={`${width}%`} height="40px" />
      ))}
    </Loading>
  )
  const comments = (
    <Suspense fallback={bones}>
      <Comments key={content.id} contentId={content.id} />
    </Suspense>
  )
  if (isWide) {
    return (
      <Aside title={content.title} onClose={onClose}>
        {comments}
      </Aside>
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title={content.title} isToRead>
      {comments}
    </Dialog>
  )
}

interface AsideProps {
  title: string
  onClose: () => void
  children: ReactNode
}

function Aside({ title, onClose, children }: AsideProps) {
  const t = useTexts(texts)
  const words = useTexts(uiTexts)
  const panel = useRef<HTMLElement>(null)
  useBackCloses(true, onClose)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    const { current } = panel
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      // Escape inside a form closes only the form.
      if (event.target instanceof Element && event.target.closest('form')) return
      event.preventDefault()
      onClose()
    }
    current?.addEventListener('keydown', press)
    return () => current?.removeEventListener('keydown', press)
  }, [onClose])
  return (
    <aside ref={panel} className={styles.panel} tabIndex={-1} aria-label={t.commentsTitle}>
      <div className={styles.head}>
        <p className={styles.title} lang={useLangOf(title)}>
          {title}
        </p>
        <IconButton icon={<X />} label={words.close} onClick={onClose} />
      </div>
      {children}
    </aside>
  )
}
