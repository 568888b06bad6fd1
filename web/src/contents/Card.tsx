import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar, UserLink } from '../ui/User.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './Card.module.css'
import { Thumbnail } from './Thumbnail.tsx'
import { texts } from './texts.ts'

interface Props
  extends Pick<ComponentProps<typeof Thumbnail>, 'isFirst' | 'cover' | 'shape' | 'width'> {
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
