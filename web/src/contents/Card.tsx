import { Link } from '@tanstack/react-router'
import { FileText, Gamepad2, Image, Music, Play } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Time } from '../ui/Time.tsx'
import { Avatar, UserLink } from '../ui/User.tsx'
import { BLURRED, thumbnailSources } from '../ui/sources.ts'
import styles from './contents.module.css'
import { useIsVeiled, veilTexts } from './stage.tsx'
import { texts } from './texts.ts'

interface Props extends Pick<ThumbnailProps, 'isFirst' | 'cover' | 'shape' | 'width'> {
  content: Content
  hidesCreator?: boolean
}

export function Card({ content, hidesCreator, ...picture }: Props) {
  const { creator } = content
  const showsCreator = !hidesCreator
  return (
    <article className={styles.card}>
      <Thumbnail content={content} {...picture} />
      <div className={styles.text}>
        {showsCreator && <Avatar user={creator} size={32} />}
        <CardText content={content}>
          {showsCreator && (
            <UserLink handle={creator.handle} className={styles.creator}>
              {creator.display_name}
            </UserLink>
          )}
          <Facts content={content} />
        </CardText>
      </div>
    </article>
  )
}

export function CardText({ content, children }: { content: Content; children: ReactNode }) {
  return (
    <div className={styles.lines}>
      <h3 className={styles.title}>
        <CoverLink content={content} />
      </h3>
      {children}
    </div>
  )
}

/** Title whose link covers the closest positioned ancestor. */
export function CoverLink({ content: { id, title } }: { content: Content }) {
  return (
    <Link to="/contents/$id" params={{ id }} className={styles.link} lang={useLangOf(title)}>
      {title}
    </Link>
  )
}

interface SeenProps {
  content: Content
  isExact?: boolean
}

interface FactsProps extends SeenProps {
  hasTime?: boolean
}

export function Facts({ content, isExact = false, hasTime = true }: FactsProps) {
  const { category, published_at, created_at } = content
  return (
    <p className={`fine dotted ${isExact ? styles.exact : ''}`}>
      <CategoryName category={category} />
      <span>
        <Seen content={content} isExact={isExact} />
      </span>
      {hasTime && <Time time={published_at ?? created_at} />}
    </p>
  )
}

export function CategoryName({ category }: Pick<Content, 'category'>) {
  const t = useTexts(texts)
  return (
    <span className={styles.category} data-category={category}>
      {t.category[category as keyof typeof t.category] ?? category}
    </span>
  )
}

export function Seen({ content, isExact = false }: SeenProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const write = isExact ? formats.number : formats.count
  return content.type === 'game'
    ? t.plays(write(content.play_count))
    : t.views(write(content.view_count))
}

interface TagListProps extends Pick<ComponentProps<'ul'>, 'className' | 'aria-label'> {
  tags: readonly string[]
  linkClass?: string | undefined
}

/** Links to the pages of tags. Renders nothing without tags. */
export function TagList({ tags, linkClass, ...list }: TagListProps) {
  if (tags.length === 0) return null
  return (
    <ul {...list}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link to="/tags/$tag" params={{ tag }} className={linkClass}>
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const ICONS = { video: Play, image: Image, audio: Music, game: Gamepad2 }

interface ThumbnailProps {
  content: Content
  /** CSS width of the box, from which the browser chooses the file. Default: the width of a card in a grid. */
  width?: string | undefined
  /** Replaces the whole picture, for example with a local preview. */
  cover?: ReactNode
  isFirst?: boolean
  /**
   * Aspect ratio: 16:9 by default, 16:10 for `game`, 9:16 for `tall`. `filling` and `stage` fill the parent. Only games
   * have the shapes `game`, `filling` and `stage`.
   */
  shape?: 'game' | 'filling' | 'stage' | 'tall' | undefined
  corner?: ReactNode
}

/** CSS width of a card in a grid. On phones it is as wide as the window. */
const CARD_WIDTH = '(max-width: 38rem) 100vw, 22rem'

export function Thumbnail({
  content,
  width = CARD_WIDTH,
  cover,
  isFirst,
  shape,
  corner,
}: ThumbnailProps) {
  const formats = useFormats()
  const Icon = ICONS[content.type as keyof typeof ICONS] ?? Image
  const duration = content.media[0]?.duration_ms
  // Shows pictures of games, and of the category `swipe` except in tall cards, uncropped in front of a blurred copy.
  // Cropping would remove most of an upright picture, or the title or score of a game.
  const isWhole = content.type === 'game' || (content.category === 'swipe' && shape !== 'tall')
  const src = content.thumbnail_url
  const covers = isWhole ? undefined : shape === 'tall' ? 9 / 16 : 16 / 9
  const srcSet = thumbnailSources(content, covers)
  const isVeiled = useIsVeiled(content)
  const words = useTexts(veilTexts)
  return (
    <div className={styles.thumbnail} data-shape={shape} data-veiled={isVeiled || undefined}>
      {cover ??
        (src ? (
          <>
            {isWhole && (
              <img
                className={styles.sides}
                srcSet={srcSet}
                sizes={BLURRED}
                src={src}
                alt=""
                loading="lazy"
              />
            )}
            <img
              {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy' })}
              data-whole={isWhole || undefined}
              srcSet={srcSet}
              sizes={isFirst ? width : `auto, ${width}`}
              src={src}
              alt=""
              width={640}
              height={360}
              decoding="async"
            />
          </>
        ) : content.type === 'article' ? (
          <TextCover content={content} />
        ) : (
          <Icon />
        ))}
      {isVeiled && (
        <Corner side="start">
          {content.rating === 'adult' ? words.adultShort : words.flashingShort}
        </Corner>
      )}
      {corner ?? (duration != null && <Corner>{formats.duration(duration)}</Corner>)}
    </div>
  )
}

interface CornerProps {
  /** Side of the thumbnail on which the label is. Default: the end. */
  side?: 'start'
  children: ReactNode
}

export function Corner({ side, children }: CornerProps) {
  return (
    <span className={styles.corner} data-side={side}>
      {children}
    </span>
  )
}

/** Maximum characters of a text in the large font. Longer texts use a smaller font. */
const SHORT = 48

function TextCover({ content }: { content: Content }) {
  const t = useTexts(texts)
  const { category, title, description } = content
  const words = description?.trim() || title
  return (
    // Hidden from screen readers, because the title is next to it.
    <span className={styles.cover} aria-hidden="true">
      <span className={styles.label} data-category={category}>
        <FileText />
        {t.type.article}
      </span>
      <span className={styles.words} data-length={words.length > SHORT ? 'long' : 'short'}>
        {words}
      </span>
    </span>
  )
}
