import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/script.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './Card.module.css'
import { Thumbnail } from './Thumbnail.tsx'
import { texts } from './texts.ts'

interface Props extends Pick<ComponentProps<typeof Thumbnail>, 'isFirst' | 'cover' | 'shape'> {
  content: Content
  hidesCreator?: boolean
  /** For the viewer's own content: shows the status instead of the creator, and links to the editor. */
  isOwn?: boolean
}

/** Card of a content item. The viewer's archived content links to its page, because it cannot be edited. */
export function Card({ content, hidesCreator, isOwn = false, ...picture }: Props) {
  const t = useTexts(texts)
  const { creator } = content
  const showsCreator = !hidesCreator && !isOwn
  const isEdited = isOwn && content.status !== 'archived'
  return (
    <article className={styles.card}>
      <Thumbnail content={content} {...picture} />
      <div className={styles.text}>
        {showsCreator && <Avatar user={creator} size={32} />}
        <CardText content={content} edits={isEdited}>
          {showsCreator && (
            <Link
              to="/creators/$handle"
              params={{ handle: creator.handle }}
              className={styles.creator}
            >
              {creator.display_name}
            </Link>
          )}
          <Facts content={content} />
          {isOwn && (content.moderation || content.status !== 'published') && (
            <p>
              {content.moderation ? (
                <Badge tone="warn">{t.hidden}</Badge>
              ) : (
                <Badge>{t.status[content.status as keyof typeof t.status] ?? content.status}</Badge>
              )}
            </p>
          )}
        </CardText>
      </div>
    </article>
  )
}

interface CardTextProps {
  content: Content
  /** Makes the title link to the editor instead of the content page. */
  edits?: boolean
  children: ReactNode
}

export function CardText({ content, edits, children }: CardTextProps) {
  return (
    <div className={styles.lines}>
      <h3 className={styles.title}>
        <CoverLink content={content} edits={edits ?? false} />
      </h3>
      {children}
    </div>
  )
}

interface CoverLinkProps {
  content: Content
  edits?: boolean
}

/**
 * Title whose link covers the closest positioned ancestor. Other links inside that ancestor need `z-index: 2`
 * to be clickable.
 */
export function CoverLink({ content: { id, title }, edits = false }: CoverLinkProps) {
  return (
    <Link
      to={edits ? '/publish/$id' : '/contents/$id'}
      params={{ id }}
      className={styles.link}
      lang={useLangOf(title)}
    >
      {title}
    </Link>
  )
}

interface FactsProps {
  content: Content
  isExact?: boolean
}

export function Facts({ content, isExact = false }: FactsProps) {
  const { category, published_at, created_at } = content
  return (
    <p className={`${styles.facts} ${isExact ? styles.exact : ''}`}>
      <CategoryName category={category} />
      <span>
        <Seen content={content} isExact={isExact} />
      </span>
      <Time time={published_at ?? created_at} />
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

export function Seen({ content, isExact = false }: FactsProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const write = isExact ? formats.number : formats.count
  return content.type === 'game'
    ? t.plays(write(content.play_count))
    : t.views(write(content.view_count))
}
