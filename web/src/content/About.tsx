import { Bookmark, Heart, Pencil, Share2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Content, ContentDetail } from '#sdk'
import { Facts, TagList } from '../contents/Card.tsx'
import { useBookmark, useLike, useShare } from '../contents/queries.ts'
import { texts as contentsTexts } from '../contents/texts.ts'
import { FollowButton, UserMenu } from '../creators/FollowButton.tsx'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Button, IconButton, LinkButton } from '../ui/Button.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar, LinkedText, UserLink } from '../ui/User.tsx'
import styles from './Content.module.css'
import { texts } from './texts.ts'

export function Heading({ content }: { content: ContentDetail }) {
  const { id, title, creator, status, moderation } = content
  const t = useTexts(texts)
  const viewer = useViewer()
  const share = useShare()
  const languageOfLead = useLangOf(content.description ?? '')
  const isRead = content.type === 'article'
  return (
    <div className={`${styles.heading} ${isRead ? styles.headline : ''}`}>
      <h1 className={styles.ownTitle} lang={useLangOf(title)}>
        {title}
      </h1>
      {isRead && content.description && (
        <p className={styles.lead} lang={languageOfLead}>
          {content.description}
        </p>
      )}
      <div className={styles.creatorRow}>
        <div className={styles.creator}>
          <UserLink handle={creator.handle} className={styles.person}>
            <Avatar user={creator} size={40} />
            <span className={styles.names}>
              <span className={styles.name}>{creator.display_name}</span>
              <span className="fine">
                {isRead ? (
                  <>
                    <Time time={content.published_at ?? content.created_at} /> ·{' '}
                    {t.minutes(minutesOf(content.body ?? ''))}
                  </>
                ) : (
                  `@${creator.handle}`
                )}
              </span>
            </span>
          </UserLink>
          <FollowButton handle={creator.handle} />
        </div>
        <div className="cluster">
          {status === 'published' && !moderation && (
            <>
              <Toggles content={content} />
              <Button size="small" icon={<Share2 />} onClick={() => void share(content)}>
                {t.share}
              </Button>
            </>
          )}
          <UserMenu user={creator} subject={{ kind: 'content', id }} />
          {viewer?.id === creator.id && (
            <LinkButton size="small" to="/publish/$id" params={{ id }} icon={<Pencil />}>
              {t.edit}
            </LinkButton>
          )}
        </div>
      </div>
    </div>
  )
}

const KOREAN_PER_MINUTE = 500
const WORDS_PER_MINUTE = 230

function minutesOf(text: string): number {
  const syllables = text.match(/\p{Script=Hangul}/gu)?.length ?? 0
  const words = text.match(/[\p{Script=Latin}\d]+/gu)?.length ?? 0
  return Math.max(1, Math.round(syllables / KOREAN_PER_MINUTE + words / WORDS_PER_MINUTE))
}

export function Details({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  return (
    <div className={styles.box}>
      {/* Omits the date of an article, because the byline already shows it. */}
      <Facts content={content} isExact hasTime={content.type !== 'article'} />
      {content.description && content.type !== 'article' && (
        <Description text={content.description} />
      )}
      <TagList tags={content.tags} className="cluster" linkClass={styles.tag} aria-label={t.tags} />
    </div>
  )
}

function Description({ text }: { text: string }) {
  const t = useTexts(texts)
  const ref = useRef<HTMLParagraphElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [isLong, setIsLong] = useState(false)
  useLayoutEffect(() => {
    const { current } = ref
    if (!current || isOpen) return undefined
    const measure = () => setIsLong(current.scrollHeight > current.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <div>
      <p ref={ref} className={`${styles.description} ${isOpen ? '' : styles.cut}`}>
        <LinkedText text={text} />
      </p>
      {(isLong || isOpen) && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.showLess : t.showMore}
        </button>
      )}
    </div>
  )
}

function Toggles({ content }: { content: Content }) {
  const t = useTexts(contentsTexts)
  const formats = useFormats()
  const like = useLike(content)
  const bookmark = useBookmark(content)
  return (
    <div className={styles.toggles}>
      <IconButton
        icon={<Heart />}
        label={`${t.like}, ${formats.number(content.like_count)}`}
        pressed={content.is_liked}
        count={formats.count(content.like_count)}
        onClick={like}
      />
      <IconButton
        icon={<Bookmark />}
        label={`${t.bookmark}, ${formats.number(content.bookmark_count)}`}
        pressed={content.is_bookmarked}
        count={formats.count(content.bookmark_count)}
        onClick={bookmark}
      />
    </div>
  )
}
