import { Bookmark, Ellipsis, Heart, MessageCircle, Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import { useBookmark, useLike, useShare } from '../contents/actions.ts'
import { useKeys } from '../contents/keys.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { texts as blockTexts } from '../creators/blockTexts.ts'
import { useUserItems } from '../creators/UserItems.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Menu } from '../ui/Dialog.tsx'
import styles from './Swipe.module.css'
import { usesLetters } from './moves.ts'
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
