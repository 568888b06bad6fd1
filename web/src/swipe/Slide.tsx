import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { memo, useState } from 'react'
import type { Content, Media } from '#sdk'
import { TagList } from '../contents/Card.tsx'
import { useIsVeiled, Veil } from '../contents/stage.tsx'
import { FollowButton } from '../creators/FollowButton.tsx'
import { savesData } from '../device/viewing.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar, UserLink } from '../ui/User.tsx'
import { BLURRED, thumbnailSources } from '../ui/sources.ts'
import { Actions } from './Actions.tsx'
import { Medium, type Sound } from './Medium.tsx'
import { Pages } from './Pages.tsx'
import styles from './Slide.module.css'
import { texts } from './texts.ts'

interface Props {
  content: Content
  /** Index of this slide minus that of the visible one. */
  distance: number
  sound: Sound
  isCommenting: boolean
  onComment: () => void
}

/** Slide of a content item. It is empty unless it is the visible slide or one of its neighbours. */
export const Slide = memo(function Slide(props: Props) {
  const { content, distance } = props
  const isShown = distance === 0
  const isNear = Math.abs(distance) <= 1
  return (
    <article
      tabIndex={-1}
      className={styles.slide}
      inert={!isShown}
      aria-labelledby={isNear ? `${content.id}-title` : undefined}
    >
      {isNear && (
        <>
          <div className={styles.box}>
            <Backdrop content={content} />
            <Veil content={content}>
              <Shown {...props} />
            </Veil>
          </div>
          <Caption content={content} isBrief={seenOf(content).length === 0} />
          <Actions {...props} />
        </>
      )}
    </article>
  )
}, isSame)

function isSame(before: Props, now: Props): boolean {
  const wasFar = Math.abs(before.distance) > 1
  const isFar = Math.abs(now.distance) > 1
  if (wasFar && isFar) return before.content.id === now.content.id
  return (
    before.content === now.content &&
    before.distance === now.distance &&
    before.sound.isOn === now.sound.isOn &&
    before.isCommenting === now.isCommenting
  )
}

function Backdrop({ content }: { content: Content }) {
  const { thumbnail_url } = content
  const isVeiled = useIsVeiled(content)
  return (
    thumbnail_url &&
    !isVeiled && (
      <img
        className={styles.backdrop}
        srcSet={thumbnailSources(content)}
        sizes={BLURRED}
        src={thumbnail_url}
        alt=""
      />
    )
  )
}

function seenOf({ media }: Content): Media[] {
  return media.filter(({ url, mime_type }) => url !== null && /^(image|video)\//.test(mime_type))
}

function Shown({ content, distance, sound }: Props) {
  const media = seenOf(content)
  const count = media.length
  const draw = (medium: Media, pages: number) => (
    <Medium
      {...{ content, medium, count, sound }}
      place={media.indexOf(medium)}
      isShown={distance === 0 && pages === 0}
      // When the browser's data saver is on, only the visible image or video loads.
      mayLoad={(distance === 0 && pages === 0) || !savesData()}
    />
  )
  const [medium] = media
  if (!medium) return <Cover content={content} />
  if (count === 1) return draw(medium, 0)
  return (
    <Pages id={content.id} title={content.title} media={media} isShown={distance === 0}>
      {draw}
    </Pages>
  )
}

/** Approximate number of characters in two lines. Longer descriptions are expandable. */
const SHORT = 60

function Caption({ content, isBrief }: { content: Content; isBrief: boolean }) {
  const { id, title, description, tags, creator } = content
  return (
    <div className={styles.caption}>
      <div className={styles.creator}>
        <UserLink handle={creator.handle} className={styles.name}>
          <Avatar user={creator} size={36} />
          <span className="clip">{creator.display_name}</span>
        </UserLink>
        <FollowButton handle={creator.handle} />
      </div>
      <h2 id={`${id}-title`} className={styles.title} lang={useLangOf(title)}>
        <Link to="/contents/$id" params={{ id }}>
          {title}
        </Link>
      </h2>
      {description && !isBrief && <Description text={description} />}
      <TagList tags={tags} className={styles.tags} />
    </div>
  )
}

function Description({ text }: { text: string }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  const isLong = text.length > SHORT || text.includes('\n')
  return (
    <>
      <p
        className={styles.description}
        lang={useLangOf(text)}
        data-open={isOpen || undefined}
        data-scrolls={isOpen || undefined}
        // Makes the scrolling text reachable by keyboard.
        tabIndex={isOpen ? 0 : undefined}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.less : t.more}
        </button>
      )}
    </>
  )
}

function Cover({ content }: { content: Content }) {
  const t = useTexts(texts)
  const { id, title, description, thumbnail_url } = content
  return (
    <div className={styles.cover}>
      {thumbnail_url && (
        <img
          srcSet={thumbnailSources(content)}
          sizes="min(100vw, 56.25vh)"
          src={thumbnail_url}
          alt=""
        />
      )}
      <div className={styles.card}>
        <FileText />
        <p className="strong" lang={useLangOf(title)}>
          {title}
        </p>
        {description && (
          <p className={styles.text} lang={useLangOf(description)}>
            {description}
          </p>
        )}
        <Link to="/contents/$id" params={{ id }} className={styles.open}>
          {t.open}
        </Link>
      </div>
    </div>
  )
}
